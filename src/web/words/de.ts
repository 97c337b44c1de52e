/** The site's own words in German; who visits is called Sie. */
import type { Words } from "./en.ts";

export const de: Words = {
  bar: {
    skip: "Zum Inhalt springen",
    menu: "Menü",
    main: "Hauptmenü",
    close: "Menü schließen",
    home: "Startseite",
    coaching: "Coaching",
    about: "Über mich",
    showreel: "Showreel",
    highlights: "Highlights",
    connect: "Kontakt",
  },
  foot: {
    label: "Fußzeile",
    letters: "Newsletter",
    policy: "Datenschutzerklärung",
    websiteBy: "Website von {name}",
    designedBy: "Gestaltet von {name}",
  },
  announcement: "Ankündigung",
  hero: {
    scroll: "Scrollen",
    seeHighlights: "Zu den Highlights",
    seeResults: "Zu den Ergebnissen",
  },
  gallery: {
    goTo: "Zu Highlight {number}",
    previous: "Zurück",
    next: "Weiter",
    place: "Bild {number} von {count}",
  },
  videos: {
    play: "Abspielen:",
    captions: "Untertitel",
    from: "Wird von {host} abgespielt, das dann von Ihrem Besuch erfährt.",
  },
  connect: { link: "{text} ({platform}, öffnet in einem neuen Tab)" },
  coaching: {
    mainTitle: "COACHING",
    subtitle: "& MENTORING",
    tagline: "Machen Sie aus Ihrem Potenzial Erfolg",
    transformation: "Verwandlung {number}",
    before: "Vorher",
    after: "Nachher",
    beforeAndAfter: "Vorher und nachher: {title}",
    ready: "Bereit für Ihre eigene Verwandlung?",
    closed: "Anfragen sind zurzeit nicht möglich",
    reachHere: "Hier erreichen Sie {name} weiterhin.",
    readMore: "Auf der Startseite erfahren Sie mehr über {name}.",
    sendEmail: "E-Mail schreiben",
  },
  goHome: "Zur Startseite",
  notFound: {
    head: "Seite nicht gefunden | {name}",
    title: "404 Seite nicht gefunden",
    text: "Unter dieser Adresse gibt es nichts. Vielleicht ist die Seite umgezogen, oder der Link enthält einen Tippfehler.",
  },
  failed: {
    page: "Diese Seite konnte nicht geladen werden",
    form: "Das Formular konnte nicht gesendet werden",
    text: "Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
    retry: "Noch einmal versuchen",
  },
  head: {
    home: "Die offizielle Website von {name}",
    coachingTitle: "Persönliches Coaching | {name}",
    coaching: "Persönliches Coaching und Mentoring mit {name}",
    policyTitle: "Datenschutzerklärung | {name}",
    policy:
      "Was die Website von {name} über ihre Besucher erfährt, warum, und was sie dagegen tun können.",
  },
  form: {
    step: "Schritt {number} von {count}",
    required: "Pflichtfeld",
    requiredNote: "(Pflichtfeld)",
    previous: "Zurück",
    next: "Weiter",
    submit: "Absenden",
    submitting: "Wird gesendet...",
    website: "Webseite",
    select: "Bitte auswählen",
    search: "Land suchen",
    countries: "Länder",
    noCountry: "Kein Land gefunden.",
    dialPrefix: "Ländervorwahl",
    trunkZero: "Nach {dial} entfällt die erste 0 der Nummer.",
    leaveOut: "0 weglassen",
    noSteps: "Dieses Formular hat noch keine aktiven Schritte.",
    reload: "Neu laden",
    thanks: "Vielen Dank!",
    thankYou: "Ihre Anfrage ist angekommen. Wir melden uns bald bei Ihnen!",
    continue: "Weiter",
    again: "Noch eine Anfrage senden",
    invalid: "Bitte prüfen Sie Ihre Angaben",
    error: "Fehler",
    failed: "Das Formular konnte nicht gesendet werden. Bitte versuchen Sie es noch einmal.",
    offline: "Sie sind anscheinend offline. Ihre Angaben bleiben hier erhalten.",
  },
  refused: {
    title: "Noch nicht gesendet",
    text: "Gehen Sie in Ihrem Browser zurück und senden Sie das Formular noch einmal.",
  },
  mailingList: {
    tab: "NEWSLETTER",
    title: "Bleiben Sie auf dem Laufenden",
    lead: "Neuigkeiten von {name}, direkt in Ihr Postfach.",
    leave: "Jederzeit abbestellbar",
    subscribe: "Anmelden",
    subscribing: "Wird angemeldet...",
    subscribed: "Anmeldung erfolgreich!",
    since: "Sie erhalten ab jetzt exklusive Neuigkeiten von {name}.",
    subscribeFailed: "Anmeldung fehlgeschlagen",
    leaveTitle: "Newsletter abbestellen",
    leaveLead: "Geben Sie die E-Mail-Adresse ein, die keine Neuigkeiten mehr erhalten soll.",
    unsubscribe: "Abmelden",
    unsubscribing: "Wird abgemeldet...",
    back: "Zurück zur Anmeldung",
    unsubscribed: "Abmeldung erfolgreich!",
    removed: "Sie stehen nicht mehr auf unserer Liste.",
    unsubscribeFailed: "Abmeldung fehlgeschlagen",
    email: "E-Mail-Adresse *",
    name: "Vorname (freiwillig)",
    later: "Bitte versuchen Sie es später noch einmal.",
    failed: "Etwas ist schiefgegangen. Bitte versuchen Sie es später noch einmal.",
  },
  dialog: { close: "Schließen" },
  toasts: { region: "Benachrichtigungen (F8)", close: "Benachrichtigung schließen" },
  listPages: {
    confirmTitle: "Nur noch ein Schritt",
    confirmText: "Klicken Sie auf den Knopf, und die Newsletter von {name} gehen an {email}.",
    confirm: "Bestätigen",
    leaveText:
      "Klicken Sie auf den Knopf, und es gehen keine Newsletter von {name} mehr an {email}.",
    brokenTitle: "Dieser Link funktioniert nicht",
    brokenText:
      "Vielleicht ist er unvollständig. Öffnen Sie ihn noch einmal aus der Nachricht, oder kopieren Sie ihn ganz.",
    expiredTitle: "Dieser Link gilt nicht mehr",
    expiredText:
      "Er wurde schon benutzt oder ist älter als 7 Tage. Melden Sie sich auf der Website neu an.",
  },
  letters: {
    title: "Newsletter",
    none: "Hier gibt es noch keine Newsletter.",
    all: "Alle Newsletter",
    foot: "Sie erhalten diese Nachricht, weil Sie den Newsletter von {name} abonniert haben.",
    read: "Auf der Website lesen",
  },
  mail: {
    confirmSubject: "Bestätigen Sie Ihre Anmeldung · {name}",
    confirmText:
      "Klicken Sie auf den Knopf, wenn Sie von {name} per E-Mail hören möchten. Der Link gilt 7 Tage.",
    confirmNotYou:
      "Jemand hat diese Adresse auf der Website eingegeben. Wenn Sie das nicht waren, müssen Sie nichts tun: Sie erhalten keine Newsletter.",
    confirmFoot: "Einmalig gesendet, um eine Adresse für den Newsletter von {name} zu bestätigen.",
    welcomeSubject: "Willkommen · {name}",
    welcomeTitle: "Sie sind dabei",
    welcomeText: "Sie hören per E-Mail von {name}, sobald es Neuigkeiten gibt.",
    leaveSubject: "Newsletter abbestellen · {name}",
    leaveText:
      "Klicken Sie auf den Knopf, und die Seite zum Abmelden öffnet sich. Noch ein Klick dort, und Sie erhalten keine Newsletter mehr.",
    leaveNotYou:
      "Jemand hat diese Adresse auf der Website eingegeben. Wenn Sie das nicht waren, müssen Sie nichts tun: Sie bleiben angemeldet.",
    leaveFoot:
      "Gesendet, weil jemand darum gebeten hat, diese Adresse vom Newsletter von {name} abzumelden.",
    thanksTitle: "Vielen Dank für Ihre Anfrage",
    thanksHello: "Hallo {name},",
    thanksText: "vielen Dank. Ihre Nachricht ist angekommen, und Sie hören bald von uns.",
    thanksFoot:
      "Sie erhalten diese Nachricht einmalig, weil diese Adresse in ein Formular auf der Website von {name} eingegeben wurde. Wenn Sie das nicht waren, kommt nichts weiter.",
    replyFoot:
      "Sie erhalten diese Nachricht, weil Sie {name} geschrieben haben. Antworten Sie einfach darauf.",
    youWrote: "Das haben Sie am {day} geschrieben:",
    youWroteHere: "Das haben Sie auf unserer Website geschrieben:",
  },
  answers: {
    required: "„{label}“ ist ein Pflichtfeld",
    formChanged:
      "Dieses Formular wurde geändert, seit Sie es geöffnet haben. Laden Sie die Seite neu, um es zu sehen.",
    tooLong: "Höchstens {most} Zeichen.",
    controls: "Entfernen Sie die unsichtbaren Steuerzeichen.",
    email: "Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.",
    noEmail: "Geben Sie Ihre E-Mail-Adresse ein.",
    number: "Geben Sie eine Zahl ein, etwa 12 oder 3.5.",
    phone: "Geben Sie eine Telefonnummer ein: nur Ziffern, Leerzeichen und +.",
    internationalPhone: "Wählen Sie eine Ländervorwahl und geben Sie eine Telefonnummer ein.",
    country: "Wählen Sie ein Land aus der Liste.",
    choose: "Wählen Sie eine der Möglichkeiten.",
    chooseSome: "Wählen Sie aus den Möglichkeiten.",
    chosenTooMany: "Wählen Sie höchstens {most} Möglichkeiten.",
  },
  refusals: {
    tooManyMessages:
      "Zu viele Nachrichten in kurzer Zeit. Bitte warten Sie einen Moment und senden Sie sie dann noch einmal.",
    tooQuick:
      "Das ging sehr schnell. Bitte warten Sie ein paar Sekunden und senden Sie es dann noch einmal.",
    tooManyTries:
      "Zu viele Versuche in kurzer Zeit. Bitte warten Sie einen Moment und versuchen Sie es dann noch einmal.",
    tooManyRequests:
      "Zu viele Anfragen. Bitte warten Sie einen Moment und versuchen Sie es dann noch einmal.",
    tooManyAtOnce:
      "Zu viele Anfragen auf einmal. Bitte warten Sie einen Moment und versuchen Sie es dann noch einmal.",
    fullOfMessages:
      "Wir können zurzeit keine weiteren Nachrichten annehmen. Bitte versuchen Sie es später noch einmal.",
    fullOfSubscriptions:
      "Wir können zurzeit keine weiteren Anmeldungen annehmen. Bitte versuchen Sie es später noch einmal.",
    formClosed: "Dieses Formular nimmt zurzeit keine Antworten an.",
    tooLarge: "Das ist zu groß: Hier können höchstens {most} gesendet werden.",
    tooSlow:
      "Das Senden hat zu lange gedauert. Versuchen Sie es mit einer besseren Verbindung noch einmal.",
    brokenOff: "Die Verbindung ist abgebrochen. Senden Sie es noch einmal.",
    unreadableForm: "Das Formular konnte nicht gelesen werden. Senden Sie es noch einmal.",
    foreignOrigin: "Das geht nur von den Seiten dieser Website aus.",
    wrongHost:
      "Das ist nicht die eigene Adresse dieser Website. Nutzen Sie ihre öffentliche Adresse.",
    notFound: "Unter dieser Adresse gibt es nichts.",
    notSaved:
      "Das konnte gerade nicht gespeichert werden. Nichts wurde geändert. Bitte versuchen Sie es gleich noch einmal.",
    fault: "Auf dem Server ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal.",
  },
};
