/** The default texts in German. */
import type { DefaultTexts } from "./defaults.en.ts";

export const de: DefaultTexts = {
  headings: {
    about: { title: "Über mich" },
    highlightSettings: { heading: "Highlights" },
    connectSettings: { heading: "Kontakt" },
    pressSettings: { heading: "Presse & Auftritte" },
    coachingHero: {
      mainTitle: "Coaching",
      subtitle: "& Mentoring",
    },
    transformationSettings: { heading: "Verwandlungen" },
    videoSettings: { heading: "Showreel" },
    eventSettings: { heading: "Termine" },
    testimonialSettings: { heading: "Stimmen" },
    packageSettings: { heading: "Angebote" },
    forms: {
      title: {
        coaching: "Arbeiten Sie mit mir",
        show: "Show buchen",
        brand: "Gemeinsame Projekte",
      },
    },
  },
  texts: {
    site: { name: "Ihr Name" },
    hero: {
      mainTitle: "Ihr Name",
      subtitle: "Ihr Name",
      tagline: "Performer • Reality-TV-Persönlichkeit • Dreamboy",
      buttonText: {
        coaching: "Mit mir arbeiten",
        show: "Show buchen",
      },
    },
    about: {
      content:
        "<p>Auf der Bühne, vor der Kamera und im Coaching: ein Name, den man sich merkt.</p>",
    },
    connectSettings: {
      description: "<p>Folgen Sie mir und erfahren Sie zuerst von neuen Projekten!</p>",
    },
    pressSettings: { description: "Bekannt aus Fernsehen und Presse" },
    coachingHero: {
      tagline: "Machen Sie aus Ihrem Potenzial Erfolg",
      buttonText: {
        coaching: "Mit mir arbeiten",
        show: "Show buchen",
      },
    },
    eventSettings: {
      noDates: "Zurzeit keine Termine. Von neuen erfahren Sie zuerst im Newsletter.",
    },
    packages: { buttonText: "Buchen" },
    forms: {
      name: {
        new: "Formular {number}",
        coaching: "Coaching-Anfrage",
        show: "Show-Anfrage",
        brand: "Marken und Kampagnen",
      },
      title: { new: "Neues Formular" },
      subtitle: {
        new: "Tragen Sie unten Ihre Angaben ein",
        coaching: "Zwei kurze Schritte, etwa zwei Minuten",
        show: "Erzählen Sie mir von Ihrer Veranstaltung",
        brand: "Erzählen Sie mir von Ihrer Marke",
      },
      thankYouMessage: {
        coaching: "Vielen Dank. Ich lese jede Anfrage selbst und melde mich bald.",
        show: "Vielen Dank. Ich prüfe den Termin und melde mich bald.",
        brand: "Vielen Dank. Ich sehe es mir an und melde mich bald.",
      },
    },
    formSteps: {
      title: {
        new: "Schritt",
        numbered: "Schritt {number}",
        you: "Über Sie",
        goal: "Ihr Ziel",
        show: "Die Show",
        plan: "Das Vorhaben",
      },
    },
    formFields: {
      label: {
        new: "Neues Feld",
        name: "Ihr Name",
        email: "E-Mail-Adresse",
        phone: "Telefon",
        country: "Wo leben Sie?",
        times: "Wann passt es Ihnen?",
        budget: "Budget",
        guests: "Wie viele Gäste?",
        consent:
          "Ich bin damit einverstanden, dass meine Angaben gespeichert werden, damit Sie mir antworten können. Mehr unter /privacy-policy",
        change: "Was möchten Sie verändern?",
        venue: "Firma oder Veranstaltungsort",
        showDate: "Datum der Show",
        town: "Ort",
        venueLink: "Link zum Veranstaltungsort oder zur Veranstaltung",
        brand: "Marke",
        brandLink: "Link zur Website der Marke",
        planned: "Was planen Sie?",
        channels: "Wo wird es erscheinen?",
        about: "Worum geht es?",
        source: "Wie haben Sie mich gefunden?",
        company: "Firma",
        date: "Datum",
        more: "Sonst noch etwas?",
      },
      options: {
        mornings: "Werktags vormittags",
        evenings: "Werktags abends",
        weekends: "Am Wochenende",
        upTo500: "Bis 500",
        upTo2000: "500 bis 2000",
        upTo5000: "2000 bis 5000",
        over5000: "Mehr als 5000",
        notFixed: "Weiß ich noch nicht",
        television: "Fernsehen",
        print: "Print",
        friend: "Durch Bekannte",
        search: "Über eine Suche",
        show: "Bei einer Show",
        elsewhere: "Anderswo",
      },
    },
  },
};
