/** The privacy policy in Dutch. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const nl: Policy = {
  title: "Privacyverklaring",
  updated: "Laatst bijgewerkt:",
  introduction: {
    title: "Inleiding",
    text: "Dit is de website van {name}, die bepaalt wat er met je gegevens gebeurt. Je kunt elke pagina lezen zonder te zeggen wie je bent. Deze verklaring legt uit wat we verzamelen als je de site bezoekt, ons schrijft of je aanmeldt voor de nieuwsbrief, hoe we dat gebruiken en welke rechten je hebt.",
  },
  collected: {
    title: "Welke gegevens we verzamelen",
    personal: "Persoonsgegevens",
    lead: "We bewaren alleen wat je zelf invult en naar ons verstuurt:",
    enquiry:
      "Als je een aanvraag verstuurt: je antwoorden op de vragen van het formulier, zoals je naam, je e-mailadres, je telefoonnummer, je land en je bericht. Als we tijden voor een gesprek voorstellen, ook welke tijd je kiest, of wat je in plaats daarvan schrijft.",
    mailingList:
      "Als je je aanmeldt voor de nieuwsbrief: je e-mailadres en, als je die invult, je naam. We bewaren ook de toestemmingstekst waarmee je akkoord ging en de datum.",
    testimonial:
      "Als je een aanbeveling schrijft via een link van ons: je aanbeveling, je naam, je rol, de toestemmingstekst waarmee je akkoord ging en de datum, en je e-mailadres als we de link daarheen hebben gestuurd. We tonen je aanbeveling op deze website nadat we die hebben gelezen. Met dezelfde link kun je die altijd intrekken.",
    automatic: "Automatisch verzamelde gegevens",
    traces:
      "Als je een aanvraag verstuurt of je aanmelding wijzigt, bewaren we het tijdstip, je IP-adres en de naam van je browser, zodat we mensen van robots kunnen onderscheiden. Het adres en de browser worden na {days} verwijderd.",
    days: { one: "één dag", other: "{count} dagen" },
    counts:
      "Om een stortvloed aan berichten en het raden van wachtwoorden tegen te gaan, telt de server verzoeken per IP-adres. Die tellingen staan alleen in het geheugen en verdwijnen als de server opnieuw start.",
    nothingElse:
      "Deze website gebruikt geen bezoekersstatistieken, advertenties of trackers, en we maken geen profiel van je.",
  },
  used: {
    title: "Waarvoor we je gegevens gebruiken",
    enquiries:
      "Aanvragen: om je te antwoorden en, als we afspreken om samen te werken, om je coaching voor te bereiden.",
    mailingList:
      "De nieuwsbrief: om je het nieuws te sturen waar je om hebt gevraagd, totdat je je afmeldt. Dat kan altijd onder NIEUWS op de homepage en via de link in elke nieuwsbrief. Adressen die niet binnen 7 dagen worden bevestigd, worden verwijderd. Van elke nieuwsbrief weten we of je mailserver hem heeft aangenomen en of je je via die nieuwsbrief hebt afgemeld. We houden nooit bij of je hem leest of op links klikt.",
    address:
      "Je e-mailadres: om je te sturen waar je om hebt gevraagd, zoals een bevestigingslink, een bedankje voor je aanvraag of ons antwoord.",
    traces: "IP-adressen en browsernamen: om de website tegen misbruik te beschermen.",
    grounds:
      "We doen dit omdat je erom hebt gevraagd (je toestemming, of stappen voorafgaand aan een overeenkomst), en voor de bescherming van de website omdat we daar een gerechtvaardigd belang bij hebben. We nemen geen geautomatiseerde besluiten over je.",
  },
  shared: {
    title: "Met wie we gegevens delen",
    storedHere:
      "We verkopen, verhuren of ruilen je gegevens niet. Wat je verstuurt, wordt op de server van deze website zelf bewaard; geen formulier- of analysedienst van een ander bedrijf verzamelt het op deze pagina’s.",
    storedElsewhere:
      "We verkopen, verhuren of ruilen je gegevens niet. Wat je verstuurt, wordt bewaard in een database van deze website op een andere server; geen formulier- of analysedienst van een ander bedrijf verzamelt het op deze pagina’s.",
    handedOn:
      "Een aanvraag kan worden doorgestuurd naar software waarmee we die beantwoorden, en als versleutelde melding naar onze eigen apparaten worden gestuurd. E-mails die we je sturen, gaan via onze mailprovider en die van jou; beide kunnen je adres en de inhoud zien.",
    host: "Het bedrijf dat de server host, heeft om technische redenen toegang tot de gegevens.",
    hosts:
      "De bedrijven die deze servers hosten, hebben om technische redenen toegang tot de gegevens.",
    backups:
      "Versleutelde back-ups worden op een andere plek bewaard voor het geval de server uitvalt.",
    law: "We geven gegevens door als de wet ons daartoe verplicht.",
    pictures:
      "De afbeeldingen op deze pagina’s worden geladen van {host}, dat je IP-adres en browsergegevens ontvangt als je de site bezoekt.",
    fonts:
      "De lettertypen op deze pagina’s worden geladen van {host}, dat je IP-adres en browsergegevens ontvangt als je de site bezoekt.",
    videos:
      "Video’s op deze pagina’s worden pas van {host} geladen als je er een start. De dienst waar de video vandaan komt, ontvangt dan je IP-adres en browsergegevens, en de privacyverklaring van die dienst is van toepassing.",
  },
  security: {
    title: "Beveiliging van gegevens",
    text: "Alleen de software van deze website, de eigenaar en mensen met een account hebben toegang tot bewaarde gegevens. Wachtwoorden worden als hash bewaard. Afbeeldingen en teksten worden gecontroleerd voordat ze worden opgeslagen, en de pagina’s staan geen scripts van derden toe. Geen enkele manier om gegevens te bewaren of te versturen is volkomen veilig, maar we bewaren weinig, en niet langer dan nodig is.",
  },
  rights: {
    title: "Je rechten",
    lead: "Je kunt ons altijd vragen om:",
    access:
      "je te vertellen welke gegevens we van je hebben en je er een kopie van te geven in een gangbaar formaat;",
    correct: "onjuiste gegevens te verbeteren;",
    erase:
      "gegevens te wissen, samen met eerdere versies ervan. Wat we zelf verwijderen, kan 30 dagen lang worden hersteld; wat we op jouw verzoek wissen, niet;",
    object:
      "het gebruik van je gegevens te beëindigen of te beperken. Je kunt ook je toestemming intrekken.",
    complain:
      "Je kunt ook een klacht indienen bij de toezichthouder voor gegevensbescherming van het land waar je woont; in Nederland is dat de Autoriteit Persoonsgegevens, in België de Gegevensbeschermingsautoriteit.",
  },
  cookies: {
    title: "Cookies",
    text: "Bezoekers krijgen geen cookies. De enige cookies van deze website zijn inlogcookies voor de eigenaar en voor mensen met een account. Terwijl je een aanvraag invult, bewaart je browser je antwoorden maximaal een dag, zodat ze niet verloren gaan als de pagina opnieuw wordt geladen; ze blijven in je browser en worden verwijderd zodra de aanvraag is verstuurd of je het tabblad sluit. Tot dan onthoudt je browser ook hoe ver je had gescrold. Totdat je het tabblad sluit, onthoudt je browser ook dat de openingsanimatie is afgespeeld, zodat die niet wordt herhaald.",
  },
  links: {
    title: "Links naar andere websites",
    text: "Onze pagina’s linken naar andere websites, zoals sociale media en de pers. Die hebben een eigen privacyverklaring, waarvoor wij niet verantwoordelijk zijn. Als onze teksten een afbeelding van een andere website tonen, ontvangt die website je IP-adres zodra je browser de afbeelding laadt.",
  },
  children: {
    title: "Privacy van kinderen",
    text: "Deze website is niet bedoeld voor kinderen onder de 13, en we verzamelen niet bewust gegevens van hen. Denk je dat een kind onder de 13 ons heeft geschreven? Laat het ons weten, dan wissen we die gegevens.",
  },
  changes: {
    title: "Wijzigingen in deze verklaring",
    text: "Als de website verandert, verandert deze verklaring mee.",
  },
  contact: {
    title: "Contact",
    email: "Stuur {name} een e-mail: {email}.",
    elsewhere:
      "Schrijf {name} via het aanvraagformulier op de {coaching}, of via een van de profielen waarnaar de {home} linkt.",
    coaching: "coachingpagina",
    home: "homepage",
  },
};
