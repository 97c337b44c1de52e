/** The default texts in Dutch. */
import type { DefaultTexts } from "./defaults.en.ts";

export const nl: DefaultTexts = {
  headings: {
    about: { title: "Over mij" },
    highlightSettings: { heading: "Hoogtepunten" },
    connectSettings: { heading: "Volg mij" },
    pressSettings: { heading: "Pers & media" },
    coachingHero: {
      mainTitle: "Coaching",
      subtitle: "& Mentoring",
    },
    transformationSettings: { heading: "Transformaties" },
    videoSettings: { heading: "Showreel" },
    eventSettings: { heading: "Agenda" },
    testimonialSettings: { heading: "Ervaringen" },
    packageSettings: { heading: "Aanbod" },
    forms: {
      title: {
        coaching: "Werk met mij",
        show: "Boek een show",
        brand: "Samenwerken",
      },
    },
  },
  texts: {
    site: { name: "Jouw naam" },
    hero: {
      mainTitle: "Jouw naam",
      subtitle: "Jouw naam",
      tagline: "Performer • Reality-tv-persoonlijkheid • Dreamboy",
      buttonText: {
        coaching: "Werk met mij",
        show: "Boek een show",
      },
    },
    about: {
      content: "<p>Op het podium, op het scherm en in de coaching: een naam die je onthoudt.</p>",
    },
    connectSettings: { description: "<p>Volg me en blijf op de hoogte van nieuwe projecten!</p>" },
    pressSettings: { description: "Bekend van televisie en pers" },
    coachingHero: {
      tagline: "Maak van je talent een succes",
      buttonText: {
        coaching: "Werk met mij",
        show: "Boek een show",
      },
    },
    eventSettings: {
      noDates:
        "Er staan nog geen nieuwe data op de agenda. Meld je aan voor de nieuwsbrief, dan hoor je ze als eerste.",
    },
    packages: { buttonText: "Boeken" },
    forms: {
      name: {
        new: "Formulier {number}",
        coaching: "Coachingaanvraag",
        show: "Show boeken",
        brand: "Merken en campagnes",
      },
      title: { new: "Nieuw formulier" },
      subtitle: {
        new: "Vul hieronder je gegevens in",
        coaching: "Twee korte stappen, ongeveer twee minuten",
        show: "Vertel me over je evenement",
        brand: "Vertel me over je merk",
      },
      thankYouMessage: {
        coaching: "Bedankt. Ik lees elke aanvraag zelf en antwoord je snel.",
        show: "Bedankt. Ik bekijk de datum en antwoord je snel.",
        brand: "Bedankt. Ik kijk ernaar en antwoord je snel.",
      },
    },
    formSteps: {
      title: {
        new: "Stap",
        numbered: "Stap {number}",
        you: "Over jou",
        goal: "Jouw doel",
        show: "De show",
        plan: "Het plan",
      },
    },
    formFields: {
      label: {
        new: "Nieuw veld",
        name: "Je naam",
        email: "E-mailadres",
        phone: "Telefoon",
        country: "Waar woon je?",
        times: "Wanneer komt het je uit?",
        budget: "Budget",
        guests: "Hoeveel gasten?",
        consent:
          "Ik ga ermee akkoord dat je mijn antwoorden bewaart om mij te antwoorden. Zie /privacy-policy",
        change: "Wat wil je veranderen?",
        venue: "Bedrijf of locatie",
        showDate: "Datum van de show",
        town: "Plaats",
        venueLink: "Link naar de locatie of het evenement",
        brand: "Merk",
        brandLink: "Link naar de website van het merk",
        planned: "Wat ben je van plan?",
        channels: "Waar wordt het gepubliceerd?",
        about: "Waar gaat het over?",
        source: "Hoe heb je me gevonden?",
        company: "Bedrijf",
        date: "Datum",
        more: "Verder nog iets?",
      },
      options: {
        mornings: "Doordeweeks ’s ochtends",
        evenings: "Doordeweeks ’s avonds",
        weekends: "In het weekend",
        upTo500: "Tot 500",
        upTo2000: "500 tot 2000",
        upTo5000: "2000 tot 5000",
        over5000: "Meer dan 5000",
        notFixed: "Weet ik nog niet",
        television: "Televisie",
        print: "Print",
        friend: "Via een bekende",
        search: "Via een zoekmachine",
        show: "Bij een show",
        elsewhere: "Op een andere manier",
      },
    },
  },
};
