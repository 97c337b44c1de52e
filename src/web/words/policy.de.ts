/** The privacy policy in German. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const de: Policy = {
  title: "Datenschutzerklärung",
  updated: "Zuletzt aktualisiert:",
  introduction: {
    title: "Einleitung",
    text: "Dies ist die Website von {name}. {name} entscheidet, was mit Ihren Daten geschieht. Sie können jede Seite lesen, ohne uns zu sagen, wer Sie sind. Diese Erklärung beschreibt, was wir erheben, wenn Sie uns besuchen, uns schreiben oder den Newsletter abonnieren, wofür wir es verwenden und welche Rechte Sie haben.",
  },
  collected: {
    title: "Welche Daten wir erheben",
    personal: "Personenbezogene Daten",
    lead: "Wir speichern nur, was Sie selbst eingeben und uns senden:",
    enquiry:
      "Wenn Sie eine Anfrage senden: Ihre Antworten auf die Fragen des Formulars, etwa Ihren Namen, Ihre E-Mail-Adresse, Ihre Telefonnummer, Ihr Land und Ihre Nachricht. Wenn wir Ihnen Termine für ein Gespräch vorschlagen, auch, welchen Sie nehmen oder was Sie stattdessen schreiben.",
    mailingList:
      "Wenn Sie den Newsletter abonnieren: Ihre E-Mail-Adresse und, wenn Sie ihn angeben, Ihren Namen. Wir speichern auch, welchem Einwilligungstext Sie zugestimmt haben und wann.",
    testimonial:
      "Wenn Sie über einen Link von uns ein paar Worte schreiben: Ihren Text, Ihren Namen, Ihre Tätigkeit, welchem Einwilligungstext Sie zugestimmt haben und wann, und Ihre E-Mail-Adresse, wenn wir den Link dorthin gesendet haben. Wir zeigen den Text auf dieser Website, sobald wir ihn gelesen haben. Über denselben Link können Sie ihn jederzeit zurückziehen.",
    automatic: "Automatisch erhobene Daten",
    traces:
      "Wenn Sie eine Anfrage senden oder sich beim Newsletter an- oder abmelden, speichern wir den Zeitpunkt, Ihre IP-Adresse und den Namen Ihres Browsers, damit wir Menschen von Bots unterscheiden können. IP-Adresse und Browsername werden nach {days} gelöscht.",
    days: { one: "einem Tag", other: "{count} Tagen" },
    counts:
      "Um massenhafte Nachrichten und das Erraten von Passwörtern zu verhindern, zählt der Server die Zugriffe je IP-Adresse. Diese Zahlen stehen nur im Arbeitsspeicher und gehen verloren, wenn der Server neu startet.",
    nothingElse:
      "Auf dieser Website gibt es keine Analysedienste, keine Werbung und kein Tracking, und wir erstellen kein Profil von Ihnen.",
  },
  used: {
    title: "Wofür wir Ihre Daten verwenden",
    enquiries:
      "Anfragen: um Ihnen zu antworten und, wenn wir uns auf eine Zusammenarbeit einigen, um Ihr Coaching vorzubereiten.",
    mailingList:
      "Der Newsletter: um Ihnen die Neuigkeiten zu senden, um die Sie gebeten haben, bis Sie sich abmelden. Das ist jederzeit unter NEWSLETTER auf der Startseite und über den Link in jedem Newsletter möglich. Adressen, die nicht binnen 7 Tagen bestätigt werden, löschen wir. Von jedem Newsletter erfahren wir, ob Ihr Mailserver ihn angenommen hat und ob Sie sich über ihn abgemeldet haben. Wir verfolgen nie, ob Sie ihn lesen oder auf seine Links klicken.",
    address:
      "Ihre E-Mail-Adresse: um Ihnen zu senden, worum Sie gebeten haben, etwa einen Bestätigungslink, einen Dank für Ihre Anfrage oder unsere Antwort.",
    traces: "IP-Adressen und Browsernamen: um die Website vor Missbrauch zu schützen.",
    grounds:
      "Wir tun das, weil Sie darum gebeten haben (Ihre Einwilligung oder vorvertragliche Maßnahmen), und zum Schutz der Website, weil wir daran ein berechtigtes Interesse haben. Wir treffen keine automatisierten Entscheidungen über Sie.",
  },
  shared: {
    title: "Weitergabe von Daten",
    storedHere:
      "Wir verkaufen, vermieten und tauschen Ihre Daten nicht. Was Sie senden, wird auf dem Server dieser Website selbst gespeichert; kein Formular- oder Analysedienst eines anderen Unternehmens erfasst es auf diesen Seiten.",
    storedElsewhere:
      "Wir verkaufen, vermieten und tauschen Ihre Daten nicht. Was Sie senden, wird in einer Datenbank dieser Website auf einem anderen Server gespeichert; kein Formular- oder Analysedienst eines anderen Unternehmens erfasst es auf diesen Seiten.",
    handedOn:
      "Eine Anfrage kann an ein Programm weitergeleitet werden, mit dem wir sie beantworten, und als verschlüsselte Benachrichtigung an unsere eigenen Geräte gesendet werden. E-Mails, die wir Ihnen senden, laufen über unseren E-Mail-Anbieter und über Ihren; beide können Ihre Adresse und den Inhalt sehen.",
    host: "Das Unternehmen, das den Server betreibt, hat aus technischen Gründen Zugang zu den Daten.",
    hosts:
      "Die Unternehmen, die diese Server betreiben, haben aus technischen Gründen Zugang zu den Daten.",
    backups:
      "Verschlüsselte Sicherungskopien werden an einem anderen Ort aufbewahrt, falls der Server ausfällt.",
    law: "Wir geben Daten weiter, wenn das Gesetz uns dazu verpflichtet.",
    pictures:
      "Die Bilder dieser Seiten werden von {host} geladen. Dieser Server erhält bei Ihrem Besuch Ihre IP-Adresse und Angaben zu Ihrem Browser.",
    fonts:
      "Die Schriften dieser Seiten werden von {host} geladen. Dieser Server erhält bei Ihrem Besuch Ihre IP-Adresse und Angaben zu Ihrem Browser.",
    videos:
      "Videos auf diesen Seiten werden erst von {host} geladen, wenn Sie eines starten. Dabei gehen Ihre IP-Adresse und Angaben zu Ihrem Browser an {host}, und es gilt die dortige Datenschutzerklärung.",
  },
  security: {
    title: "Datensicherheit",
    text: "Nur die Software dieser Website, ihr Inhaber oder ihre Inhaberin und Personen mit einem Konto haben Zugriff auf gespeicherte Daten. Passwörter werden als Hash gespeichert. Bilder und Texte werden geprüft, bevor sie gespeichert werden, und die Seiten lassen keine Skripte Dritter zu. Vollkommen sicher ist keine Art, Daten zu speichern oder zu senden, aber wir bewahren wenig auf, und nicht länger als nötig.",
  },
  rights: {
    title: "Ihre Rechte",
    lead: "Sie können jederzeit von uns verlangen,",
    access:
      "dass wir Ihnen sagen, welche Daten wir über Sie gespeichert haben, und Ihnen eine Kopie davon in einem gängigen Format geben;",
    correct: "dass wir falsche Daten berichtigen;",
    erase:
      "dass wir Daten löschen, mitsamt früheren Fassungen. Was wir von uns aus löschen, kann 30 Tage lang wiederhergestellt werden; was wir auf Ihr Verlangen löschen, nicht;",
    object:
      "dass wir Daten nicht mehr oder nur noch eingeschränkt verwenden. Sie können auch eine Einwilligung widerrufen.",
    complain:
      "Sie können sich auch bei der Datenschutzbehörde des Landes beschweren, in dem Sie leben; in Deutschland ist das die Aufsichtsbehörde Ihres Bundeslandes, in Österreich die Datenschutzbehörde.",
  },
  cookies: {
    title: "Cookies",
    text: "Beim Besuch dieser Website werden keine Cookies gesetzt. Die einzigen Cookies dienen dem Login des Inhabers oder der Inhaberin und der Personen mit einem Konto. Während Sie eine Anfrage ausfüllen, bewahrt Ihr Browser Ihre Antworten höchstens einen Tag lang auf, damit sie nicht verloren gehen, wenn die Seite neu geladen wird; sie bleiben in Ihrem Browser und werden gelöscht, sobald die Anfrage gesendet ist oder Sie den Tab schließen. Bis dahin merkt sich Ihr Browser auch, wie weit Sie gescrollt hatten. Bis Sie den Tab schließen, merkt er sich außerdem, dass die Eröffnungsanimation schon gelaufen ist, damit sie sich nicht wiederholt.",
  },
  links: {
    title: "Links zu anderen Websites",
    text: "Unsere Seiten verweisen auf andere Websites, etwa soziale Netzwerke und die Presse. Diese haben eigene Datenschutzerklärungen, für die wir nicht verantwortlich sind. Wenn unsere Texte ein Bild einer anderen Website zeigen, erhält diese Ihre IP-Adresse, sobald Ihr Browser es lädt.",
  },
  children: {
    title: "Schutz von Kindern",
    text: "Diese Website ist nicht für Kinder unter 13 Jahren gedacht, und wir erheben nicht wissentlich Daten von ihnen. Wenn Sie glauben, dass ein Kind unter 13 Jahren uns geschrieben hat, sagen Sie es uns bitte, und wir löschen die Daten.",
  },
  changes: {
    title: "Änderungen dieser Erklärung",
    text: "Wenn sich die Website ändert, ändert sich diese Erklärung mit ihr.",
  },
  contact: {
    title: "Kontakt",
    email: "Sie erreichen {name} unter {email}.",
    elsewhere:
      "Schreiben Sie {name} über das Anfrageformular auf der {coaching} oder über eines der Profile, die auf der {home} verlinkt sind.",
    coaching: "Coaching-Seite",
    home: "Startseite",
  },
};
