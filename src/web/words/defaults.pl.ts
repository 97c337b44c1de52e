/** The default texts in Polish. */
import type { DefaultTexts } from "./defaults.en.ts";

export const pl: DefaultTexts = {
  headings: {
    about: { title: "O mnie" },
    highlightSettings: { heading: "Najlepsze chwile" },
    connectSettings: { heading: "Bądźmy w kontakcie" },
    pressSettings: { heading: "Prasa i media" },
    coachingHero: {
      mainTitle: "Coaching",
      subtitle: "i mentoring",
    },
    transformationSettings: { heading: "Przemiany" },
    videoSettings: { heading: "Showreel" },
    eventSettings: { heading: "Terminy" },
    testimonialSettings: { heading: "Opinie" },
    packageSettings: { heading: "Oferta" },
    forms: {
      title: {
        coaching: "Umów się na coaching",
        show: "Zamów występ",
        brand: "Współpraca",
      },
    },
  },
  texts: {
    site: { name: "Twoje imię i nazwisko" },
    hero: {
      mainTitle: "Twoje imię i nazwisko",
      subtitle: "Twoje imię i nazwisko",
      tagline: "Performer • Gwiazda reality show • Dreamboy",
      buttonText: {
        coaching: "Umów się na coaching",
        show: "Zamów występ",
      },
    },
    about: { content: "<p>Na scenie, na ekranie i w coachingu: nazwisko, które się pamięta.</p>" },
    connectSettings: { description: "<p>Obserwuj mnie i bądź na bieżąco z nowymi projektami!</p>" },
    pressSettings: { description: "W telewizji i prasie" },
    coachingHero: {
      tagline: "Zmień swój potencjał w sukces",
      buttonText: {
        coaching: "Umów się na coaching",
        show: "Zamów występ",
      },
    },
    eventSettings: {
      noDates: "Na razie brak terminów. Zapisz się na newsletter, a nowe poznasz przed innymi.",
    },
    packages: { buttonText: "Zarezerwuj" },
    forms: {
      name: {
        new: "Formularz {number}",
        coaching: "Zgłoszenie na coaching",
        show: "Zamówienie występu",
        brand: "Marki i kampanie",
      },
      title: { new: "Nowy formularz" },
      subtitle: {
        new: "Wpisz poniżej swoje dane",
        coaching: "Dwa krótkie kroki, około dwóch minut",
        show: "Opowiedz mi o swoim wydarzeniu",
        brand: "Opowiedz mi o swojej marce",
      },
      thankYouMessage: {
        coaching: "Dziękuję. Każde zgłoszenie czytam osobiście i wkrótce odpiszę.",
        show: "Dziękuję. Sprawdzę termin i wkrótce odpiszę.",
        brand: "Dziękuję. Przyjrzę się temu i wkrótce odpiszę.",
      },
    },
    formSteps: {
      title: {
        new: "Krok",
        numbered: "Krok {number}",
        you: "O Tobie",
        goal: "Twój cel",
        show: "Występ",
        plan: "Projekt",
      },
    },
    formFields: {
      label: {
        new: "Nowe pole",
        name: "Twoje imię i nazwisko",
        email: "Adres e-mail",
        phone: "Telefon",
        country: "Gdzie mieszkasz?",
        times: "Kiedy Ci pasuje?",
        budget: "Budżet",
        guests: "Ilu gości?",
        consent:
          "Zgadzam się na przechowywanie moich odpowiedzi, aby można było mi odpisać. Więcej: /privacy-policy",
        change: "Co chcesz zmienić?",
        venue: "Firma lub miejsce",
        showDate: "Data występu",
        town: "Miejscowość",
        venueLink: "Link do miejsca lub wydarzenia",
        brand: "Marka",
        brandLink: "Link do strony marki",
        planned: "Co planujesz?",
        channels: "Gdzie się ukaże?",
        about: "Czego to dotyczy?",
        source: "Skąd o mnie wiesz?",
        company: "Firma",
        date: "Data",
        more: "Coś jeszcze?",
      },
      options: {
        mornings: "W dni robocze rano",
        evenings: "W dni robocze wieczorem",
        weekends: "W weekendy",
        upTo500: "Do 500",
        upTo2000: "Od 500 do 2000",
        upTo5000: "Od 2000 do 5000",
        over5000: "Ponad 5000",
        notFixed: "Jeszcze nie wiem",
        television: "Telewizja",
        print: "Prasa drukowana",
        friend: "Od znajomych",
        search: "Z wyszukiwarki",
        show: "Z występu",
        elsewhere: "Z innego źródła",
      },
    },
  },
};
