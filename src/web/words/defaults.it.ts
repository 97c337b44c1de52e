/** The default texts in Italian. */
import type { DefaultTexts } from "./defaults.en.ts";

export const it: DefaultTexts = {
  headings: {
    about: { title: "Chi sono" },
    highlightSettings: { heading: "I momenti migliori" },
    connectSettings: { heading: "Seguimi" },
    pressSettings: { heading: "Stampa e media" },
    coachingHero: {
      mainTitle: "Coaching",
      subtitle: "e mentoring",
    },
    transformationSettings: { heading: "Trasformazioni" },
    videoSettings: { heading: "Showreel" },
    eventSettings: { heading: "Date" },
    testimonialSettings: { heading: "Testimonianze" },
    packageSettings: { heading: "Offerte" },
    forms: {
      title: {
        coaching: "Lavora con me",
        show: "Prenota uno spettacolo",
        brand: "Collaboriamo",
      },
    },
  },
  texts: {
    site: { name: "Il tuo nome" },
    hero: {
      mainTitle: "Il tuo nome",
      subtitle: "Il tuo nome",
      tagline: "Performer • Volto dei reality • Dreamboy",
      buttonText: {
        coaching: "Lavora con me",
        show: "Prenota uno spettacolo",
      },
    },
    about: { content: "<p>Sul palco, sullo schermo e nel coaching: un nome che si ricorda.</p>" },
    connectSettings: { description: "<p>Seguimi e scopri i miei prossimi progetti!</p>" },
    pressSettings: { description: "In televisione e sulla stampa" },
    coachingHero: {
      tagline: "Trasforma il tuo potenziale in successo",
      buttonText: {
        coaching: "Lavora con me",
        show: "Prenota uno spettacolo",
      },
    },
    eventSettings: {
      noDates:
        "Nessuna data al momento. Iscriviti alla newsletter per conoscere le prossime in anteprima.",
    },
    packages: { buttonText: "Prenota" },
    forms: {
      name: {
        new: "Modulo {number}",
        coaching: "Richiesta di coaching",
        show: "Prenotazione di uno spettacolo",
        brand: "Brand e campagne",
      },
      title: { new: "Nuovo modulo" },
      subtitle: {
        new: "Inserisci i tuoi dati qui sotto",
        coaching: "Due brevi passaggi, circa due minuti",
        show: "Parlami del tuo evento",
        brand: "Parlami del tuo brand",
      },
      thankYouMessage: {
        coaching: "Grazie. Leggo personalmente ogni richiesta e ti risponderò presto.",
        show: "Grazie. Controllo la data e ti rispondo presto.",
        brand: "Grazie. Do un’occhiata e ti rispondo presto.",
      },
    },
    formSteps: {
      title: {
        new: "Passaggio",
        numbered: "Passaggio {number}",
        you: "Su di te",
        goal: "Il tuo obiettivo",
        show: "Lo spettacolo",
        plan: "Il progetto",
      },
    },
    formFields: {
      label: {
        new: "Nuovo campo",
        name: "Il tuo nome",
        email: "Indirizzo e-mail",
        phone: "Telefono",
        country: "Dove vivi?",
        times: "Quando ti va bene?",
        budget: "Budget",
        guests: "Quanti ospiti?",
        consent:
          "Acconsento alla conservazione dei dati inseriti per ricevere una risposta. Maggiori informazioni: /privacy-policy",
        change: "Che cosa vorresti cambiare?",
        venue: "Azienda o locale",
        showDate: "Data dello spettacolo",
        town: "Città",
        venueLink: "Link al locale o all’evento",
        brand: "Il tuo brand",
        brandLink: "Link al sito del brand",
        planned: "Che cosa hai in mente?",
        channels: "Dove verrà pubblicato?",
        about: "Di che cosa si tratta?",
        source: "Come hai saputo di me?",
        company: "Azienda",
        date: "Data",
        more: "Vuoi aggiungere altro?",
      },
      options: {
        mornings: "Nei giorni feriali, di mattina",
        evenings: "Nei giorni feriali, di sera",
        weekends: "Nel fine settimana",
        upTo500: "Fino a 500",
        upTo2000: "Da 500 a 2000",
        upTo5000: "Da 2000 a 5000",
        over5000: "Più di 5000",
        notFixed: "Non lo so ancora",
        television: "Televisione",
        print: "Stampa",
        friend: "Tramite conoscenti",
        search: "Con una ricerca",
        show: "A uno spettacolo",
        elsewhere: "Altrove",
      },
    },
  },
};
