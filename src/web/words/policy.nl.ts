/** The privacy policy in Dutch. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const nl: Policy = {
  title: "Privacyverklaring",
  updated: "Laatst bijgewerkt:",
  introduction: {
    title: "Inleiding",
    text: "Dit is de website van {name}, die bepaalt wat er met je gegevens gebeurt. Je kunt elke pagina lezen zonder te zeggen wie je bent. Deze verklaring zegt wat we te weten komen als je de site bezoekt, ons schrijft of je aanmeldt voor de nieuwsbrief, waarvoor we dat gebruiken en wat je van ons kunt vragen.",
  },
  collected: {
    title: "Welke gegevens we verzamelen",
    personal: "Persoonlijke gegevens",
    lead: "We bewaren alleen wat je zelf intypt en naar ons verstuurt:",
    enquiry:
      "Als je een aanvraag verstuurt: je antwoorden op de vragen van het formulier, zoals je naam, je e-mailadres, je telefoonnummer, je land en je bericht. Als we je tijden voor een gesprek voorstellen, ook welke je kiest, of wat je in plaats daarvan schrijft.",
    mailingList:
      "Als je je aanmeldt voor de nieuwsbrief: je e-mailadres en, als je die opgeeft, je naam. Daarbij bewaren we de tekst waarmee je hebt ingestemd en wanneer je dat deed.",
    testimonial:
      "Als je een aanbeveling schrijft via een link die we je gaven: je aanbeveling, je naam, je rol, de tekst waarmee je hebt ingestemd en wanneer je dat deed, en je e-mailadres als we de link daarheen stuurden. We tonen die op deze website nadat we die gelezen hebben; met dezelfde link kun je die altijd intrekken.",
    automatic: "Automatisch verzamelde gegevens",
    traces:
      "Bij een aanvraag en bij een wijziging van de nieuwsbrief bewaren we het tijdstip, je IP-adres en de naam waarmee je browser zich bekendmaakt, zodat we mensen van robots kunnen onderscheiden. Het adres en de browser worden na {days} verwijderd.",
    days: { one: "één dag", other: "{count} dagen" },
    counts:
      "Om stromen berichten en geraden wachtwoorden tegen te houden, telt de server verzoeken per IP-adres. Die tellingen staan alleen in het werkgeheugen en verdwijnen bij een herstart.",
    nothingElse:
      "Op deze website is geen analyse, geen reclame en geen tracking, en we maken geen profiel van je.",
  },
  used: {
    title: "Waarvoor we je gegevens gebruiken",
    enquiries:
      "Aanvragen: om je te antwoorden en, als we gaan samenwerken, om je coaching voor te bereiden.",
    mailingList:
      "De nieuwsbrief: om je het nieuws te sturen waar je om hebt gevraagd, totdat je je afmeldt. Dat kan altijd onder NIEUWS op de homepage en via de link in elke nieuwsbrief. Een adres dat niet binnen 7 dagen na onze vraag is bevestigd, wordt verwijderd. Van een nieuwsbrief horen we of je mailserver hem heeft aangenomen en of je je via die brief hebt afgemeld, nooit of je hem hebt gelezen: er zitten geen verborgen afbeeldingen en geen getelde links in.",
    address:
      "Je e-mailadres: om je te sturen waar je om vroeg toen je het invulde, zoals een link om het te bevestigen, ons bedankje voor een aanvraag of ons antwoord.",
    traces: "Adressen en browsers: om de website tegen misbruik te beschermen.",
    grounds:
      "We doen dit omdat je erom hebt gevraagd (je toestemming, of stappen voorafgaand aan een overeenkomst), en voor de bescherming van de website omdat we daar een gerechtvaardigd belang bij hebben. We nemen geen geautomatiseerde besluiten over je.",
  },
  shared: {
    title: "Met wie we gegevens delen",
    storedHere:
      "We verkopen, verhuren of ruilen je gegevens niet. Wat je verstuurt, wordt op de server van deze website zelf bewaard; geen formulier of analysedienst van een ander bedrijf verzamelt het op deze pagina’s.",
    storedElsewhere:
      "We verkopen, verhuren of ruilen je gegevens niet. Wat je verstuurt, wordt bewaard in een database van deze website op een andere server; geen formulier of analysedienst van een ander bedrijf verzamelt het op deze pagina’s.",
    handedOn:
      "Van daar kan een aanvraag worden doorgegeven aan een programma waarmee we haar beantwoorden, en worden gemeld op onze eigen apparaten, zo versleuteld dat niemand onderweg haar kan lezen. E-mails die we je sturen, gaan via de mailprovider die wij gebruiken, die je adres en de inhoud te zien krijgt, en via die van jou.",
    host: "Het bedrijf dat de server host, kan er om technische redenen bij.",
    hosts: "De bedrijven die deze servers hosten, kunnen er om technische redenen bij.",
    backups:
      "Back-ups, zo versleuteld dat niemand daar ze kan lezen, worden op een andere plek bewaard voor het geval de server verloren gaat.",
    law: "We geven gegevens door als de wet ons daartoe verplicht.",
    pictures:
      "De afbeeldingen van deze pagina’s worden opgehaald bij {host}, dat je IP-adres en je browser te zien krijgt als je de site bezoekt.",
    fonts:
      "De lettertypen van deze pagina’s worden opgehaald bij {host}, dat je IP-adres en je browser te zien krijgt als je de site bezoekt.",
    videos:
      "Video’s op deze pagina’s worden afgespeeld via {host} zodra je er een start, en niet eerder. Vanaf dan krijgt {host} je IP-adres en je browser te zien, en geldt het privacybeleid van {host}.",
  },
  security: {
    title: "Beveiliging van gegevens",
    text: "Alleen de software van deze website, de eigenaar en wie van de eigenaar een account heeft gekregen, kunnen bewaarde gegevens lezen, achter een wachtwoord dat als hash wordt bewaard. Afbeeldingen en teksten worden gecontroleerd voordat ze worden opgeslagen, en de pagina’s staan geen scripts van derden toe. Geen enkele manier om gegevens te bewaren of te versturen is volkomen veilig, maar we bewaren weinig, en niet langer dan nodig is.",
  },
  rights: {
    title: "Je rechten",
    lead: "Je kunt ons altijd vragen om:",
    access:
      "je te vertellen wat we over je bewaren en je er een kopie van te geven in een gangbaar formaat;",
    correct: "te verbeteren wat niet klopt;",
    erase:
      "het te wissen, samen met eerdere versies ervan. Wat we alleen verwijderen, blijft nog 30 dagen apart staan voor het geval het een vergissing was; wat we op jouw verzoek wissen niet;",
    object:
      "het niet meer of minder te gebruiken, en toestemming die je hebt gegeven in te trekken.",
    complain:
      "Je kunt ook een klacht indienen bij de toezichthouder voor gegevensbescherming van het land waar je woont; in Nederland is dat de Autoriteit Persoonsgegevens, in België de Gegevensbeschermingsautoriteit.",
  },
  cookies: {
    title: "Cookies",
    text: "Bezoekers krijgen geen cookies. De enige cookies van deze website dienen om in te loggen, voor de eigenaar en voor wie een account heeft. Terwijl je een aanvraag invult, bewaart je browser je antwoorden hoogstens een dag, zodat ze niet verloren gaan als de pagina opnieuw wordt geladen; ze blijven in je browser en worden verwijderd zodra de aanvraag is verstuurd of je het tabblad sluit. Tot dan onthoudt je browser ook hoe ver je had gescrold. Totdat je het tabblad sluit, onthoudt hij dat je hebt gezien hoe de eerste foto verschijnt, zodat dat niet nog eens gebeurt.",
  },
  links: {
    title: "Links naar anderen",
    text: "Onze pagina’s verwijzen naar andere websites, zoals sociale netwerken en de pers. Die gaan pas open als je een link volgt, en hebben een eigen privacyverklaring waarvoor wij niet verantwoordelijk zijn. Waar onze teksten een afbeelding tonen die op een andere website staat, krijgt die website je IP-adres te zien als je browser haar ophaalt.",
  },
  children: {
    title: "Privacy van kinderen",
    text: "Deze website is niet bedoeld voor kinderen onder de 13, en we verzamelen niet bewust gegevens van hen. Denk je dat een kind onder de 13 ons heeft geschreven, laat het ons dan weten, dan wissen we het.",
  },
  changes: {
    title: "Wijzigingen van deze verklaring",
    text: "Als de website verandert, verandert deze verklaring mee.",
  },
  contact: {
    title: "Contact",
    email: "Schrijf {name} op {email}.",
    elsewhere:
      "Schrijf {name} via het aanvraagformulier op de {coaching}, of via een van de profielen op de {home}.",
    coaching: "coachingpagina",
    home: "homepage",
  },
};
