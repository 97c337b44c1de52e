/** The privacy policy in German. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const de: Policy = {
  title: "Datenschutzerklärung",
  updated: "Zuletzt aktualisiert:",
  introduction: {
    title: "Einleitung",
    text: "Dies ist die Website von {name}. {name} entscheidet, was hier mit Ihren Daten geschieht. Sie können jede Seite lesen, ohne uns zu sagen, wer Sie sind. Diese Erklärung sagt, was wir erfahren, wenn Sie uns besuchen, uns schreiben oder den Newsletter abonnieren, wofür wir es verwenden und was Sie von uns verlangen können.",
  },
  collected: {
    title: "Welche Daten wir erheben",
    personal: "Personenbezogene Daten",
    lead: "Wir haben nur, was Sie selbst eingeben und uns senden:",
    enquiry:
      "Wenn Sie eine Anfrage senden: Ihre Antworten auf die Fragen des Formulars, etwa Ihren Namen, Ihre E-Mail-Adresse, Ihre Telefonnummer, Ihr Land und Ihre Nachricht. Wenn wir Ihnen Termine für ein Gespräch vorschlagen, auch, welchen Sie nehmen oder was Sie stattdessen schreiben.",
    mailingList:
      "Wenn Sie den Newsletter abonnieren: Ihre E-Mail-Adresse und, wenn Sie ihn angeben, Ihren Namen. Dazu bewahren wir auf, welchem Text Sie zugestimmt haben und wann.",
    testimonial:
      "Wenn Sie über einen Link, den wir Ihnen gegeben haben, ein paar Worte über uns schreiben: Ihren Text, Ihren Namen, Ihre Rolle, welchem Text Sie zugestimmt haben und wann, und Ihre E-Mail-Adresse, wenn wir den Link dorthin geschickt haben. Wir zeigen den Text auf dieser Website, sobald wir ihn gelesen haben; über denselben Link können Sie ihn jederzeit zurückziehen.",
    automatic: "Automatisch erhobene Daten",
    traces:
      "Mit einer Anfrage und mit einer An- oder Abmeldung beim Newsletter speichern wir die Zeit, Ihre IP-Adresse und den Namen, mit dem sich Ihr Browser ausweist, damit wir Menschen von Robotern unterscheiden können. Adresse und Browser werden nach {days} gelöscht.",
    days: { one: "einem Tag", other: "{count} Tagen" },
    counts:
      "Um Fluten von Nachrichten und das Erraten von Passwörtern zu verhindern, zählt der Server Anfragen je IP-Adresse. Diese Zahlen stehen nur in seinem Arbeitsspeicher und enden, wenn er neu startet.",
    nothingElse:
      "Auf dieser Website gibt es keine Analysedienste, keine Werbung und kein Tracking, und wir erstellen kein Profil von Ihnen.",
  },
  used: {
    title: "Wofür wir Ihre Daten verwenden",
    enquiries:
      "Anfragen: um Ihnen zu antworten und, wenn wir uns auf eine Zusammenarbeit einigen, um Ihr Coaching vorzubereiten.",
    mailingList:
      "Der Newsletter: um Ihnen die Neuigkeiten zu senden, um die Sie gebeten haben, bis Sie sich abmelden. Das können Sie jederzeit unter NEWSLETTER auf der Startseite und über den Link in jedem Newsletter. Eine Adresse, die nicht binnen 7 Tagen nach unserer Nachfrage bestätigt wurde, wird gelöscht. Von einem Newsletter erfahren wir, ob Ihr Mailserver ihn angenommen hat und ob Sie sich über ihn abgemeldet haben, nie, ob Sie ihn gelesen haben: Newsletter enthalten keine versteckten Bilder und keine gezählten Links.",
    address:
      "Ihre E-Mail-Adresse: um Ihnen zu senden, worum Sie mit der Eingabe gebeten haben, etwa einen Link, um sie zu bestätigen, unseren Dank für eine Anfrage oder unsere Antwort.",
    traces: "Adressen und Browser: um die Website vor Missbrauch zu schützen.",
    grounds:
      "Wir tun das, weil Sie darum gebeten haben (Ihre Einwilligung, oder Schritte vor einem Vertrag), und zum Schutz der Website, weil wir daran ein berechtigtes Interesse haben. Wir treffen keine automatisierten Entscheidungen über Sie.",
  },
  shared: {
    title: "Weitergabe von Daten",
    storedHere:
      "Wir verkaufen, vermieten und tauschen Ihre Daten nicht. Was Sie senden, wird auf dem Server dieser Website selbst gespeichert; kein Formular- oder Analysedienst eines anderen Unternehmens erfasst es auf diesen Seiten.",
    storedElsewhere:
      "Wir verkaufen, vermieten und tauschen Ihre Daten nicht. Was Sie senden, wird in einer Datenbank dieser Website auf einem anderen Server gespeichert; kein Formular- oder Analysedienst eines anderen Unternehmens erfasst es auf diesen Seiten.",
    handedOn:
      "Von dort kann eine Anfrage an ein Programm weitergegeben werden, mit dem wir sie beantworten, und an unsere eigenen Geräte gemeldet werden, so verschlüsselt, dass unterwegs niemand sie lesen kann. E-Mails, die wir Ihnen senden, laufen über unseren E-Mail-Anbieter und über Ihren; beide können Ihre Adresse und den Inhalt sehen.",
    host: "Das Unternehmen, das den Server betreibt, hat aus technischen Gründen Zugang zu den Daten.",
    hosts:
      "Die Unternehmen, die diese Server betreiben, haben aus technischen Gründen Zugang zu den Daten.",
    backups:
      "Sicherungskopien, so verschlüsselt, dass dort niemand sie lesen kann, werden an einem anderen Ort aufbewahrt, falls der Server verloren geht.",
    law: "Wir geben Daten weiter, wenn das Gesetz uns dazu verpflichtet.",
    pictures:
      "Die Bilder dieser Seiten werden von {host} geladen. Dieser Server erhält bei Ihrem Besuch Ihre IP-Adresse und Angaben zu Ihrem Browser.",
    fonts:
      "Die Schriften dieser Seiten werden von {host} geladen. Dieser Server erhält bei Ihrem Besuch Ihre IP-Adresse und Angaben zu Ihrem Browser.",
    videos:
      "Videos auf diesen Seiten werden von {host} abgespielt, sobald Sie eines starten, und nicht vorher. Von da an erhält {host} Ihre IP-Adresse und Angaben zu Ihrem Browser, und es gilt die Datenschutzerklärung dieses Anbieters.",
  },
  security: {
    title: "Datensicherheit",
    text: "Gespeicherte Daten lesen können nur die Software dieser Website, ihr Inhaber oder ihre Inhaberin und wer von dort ein Konto erhalten hat, geschützt durch ein Passwort, das nur als Hash aufbewahrt wird. Bilder und Texte werden geprüft, bevor sie gespeichert werden, und die Seiten lassen keine Skripte Dritter zu. Vollkommen sicher ist keine Art, Daten zu speichern oder zu senden, aber wir bewahren wenig auf, und nicht länger als nötig.",
  },
  rights: {
    title: "Ihre Rechte",
    lead: "Sie können jederzeit von uns verlangen,",
    access:
      "dass wir Ihnen sagen, was wir über Sie gespeichert haben, und Ihnen eine Kopie davon in einem gängigen Format geben;",
    correct: "dass wir berichtigen, was falsch ist;",
    erase:
      "dass wir es löschen, mitsamt früheren Fassungen. Was wir nur entfernen, wird 30 Tage lang beiseitegelegt, falls es ein Versehen war; was wir auf Ihr Verlangen löschen, nicht;",
    object:
      "dass wir es nicht mehr oder weniger verwenden, und Sie können eine Einwilligung widerrufen.",
    complain:
      "Sie können sich auch bei der Datenschutzbehörde des Landes beschweren, in dem Sie leben; in Deutschland ist das die Aufsichtsbehörde Ihres Bundeslandes, in Österreich die Datenschutzbehörde.",
  },
  cookies: {
    title: "Cookies",
    text: "Besucher erhalten keine Cookies. Die einzigen Cookies dieser Website dienen der Anmeldung ihrer Betreiber und derer, die ein Konto haben. Während Sie eine Anfrage ausfüllen, bewahrt Ihr Browser Ihre Antworten höchstens einen Tag lang auf, damit sie nicht verloren gehen, wenn die Seite neu geladen wird; sie bleiben in Ihrem Browser und werden gelöscht, sobald die Anfrage gesendet ist oder Sie den Tab schließen. Bis dahin merkt sich Ihr Browser auch, wie weit Sie gescrollt hatten. Bis Sie den Tab schließen, merkt er sich, dass Sie gesehen haben, wie das erste Bild erscheint, damit das nicht noch einmal geschieht.",
  },
  links: {
    title: "Links zu anderen Websites",
    text: "Unsere Seiten verweisen auf andere Websites, etwa soziale Netzwerke und die Presse. Diese öffnen sich erst, wenn Sie einem Link folgen, und haben eigene Datenschutzerklärungen, für die wir nicht verantwortlich sind. Wenn unsere Texte ein Bild einer anderen Website zeigen, erhält diese Ihre IP-Adresse, sobald Ihr Browser es lädt.",
  },
  children: {
    title: "Schutz von Kindern",
    text: "Diese Website ist nicht für Kinder unter 13 Jahren gedacht, und wir erheben nicht wissentlich Daten von ihnen. Wenn Sie glauben, dass ein Kind unter 13 Jahren uns geschrieben hat, sagen Sie es uns bitte, und wir löschen es.",
  },
  changes: {
    title: "Änderungen dieser Erklärung",
    text: "Wenn sich die Website ändert, ändert sich diese Erklärung mit ihr.",
  },
  contact: {
    title: "Kontakt",
    email: "Schreiben Sie {name} an {email}.",
    elsewhere:
      "Schreiben Sie {name} über das Anfrageformular auf der {coaching} oder über eines der Profile, die auf der {home} verlinkt sind.",
    coaching: "Coaching-Seite",
    home: "Startseite",
  },
};
