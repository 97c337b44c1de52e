/** The default texts in French. */
import type { DefaultTexts } from "./defaults.en.ts";

export const fr: DefaultTexts = {
  headings: {
    about: { title: "À propos" },
    highlightSettings: { heading: "Temps forts" },
    connectSettings: { heading: "Me suivre" },
    pressSettings: { heading: "Presse & médias" },
    coachingHero: {
      mainTitle: "Coaching",
      subtitle: "& Mentorat",
    },
    transformationSettings: { heading: "Transformations" },
    videoSettings: { heading: "Bande démo" },
    eventSettings: { heading: "Dates" },
    testimonialSettings: { heading: "Témoignages" },
    packageSettings: { heading: "Offres" },
    forms: {
      title: {
        coaching: "Travaillons ensemble",
        show: "Réserver un spectacle",
        brand: "Collaborons",
      },
    },
  },
  texts: {
    site: { name: "Votre nom" },
    hero: {
      mainTitle: "Votre nom",
      subtitle: "Votre nom",
      tagline: "Artiste • Personnalité de la télé-réalité • Dreamboy",
      buttonText: {
        coaching: "Travailler avec moi",
        show: "Réserver un spectacle",
      },
    },
    about: { content: "<p>Un nom que l’on retient, sur scène, à l’écran et en coaching.</p>" },
    connectSettings: { description: "<p>Suivez-moi pour découvrir mes prochains projets.</p>" },
    pressSettings: { description: "À la télévision et dans la presse" },
    coachingHero: {
      tagline: "Transformez votre potentiel en réussite",
      buttonText: {
        coaching: "Travailler avec moi",
        show: "Réserver un spectacle",
      },
    },
    eventSettings: {
      noDates:
        "Pas de dates pour le moment. Inscrivez-vous à la newsletter pour connaître les prochaines avant tout le monde.",
    },
    packages: { buttonText: "Réserver" },
    forms: {
      name: {
        new: "Formulaire {number}",
        coaching: "Demande de coaching",
        show: "Demande de spectacle",
        brand: "Marques et campagnes",
      },
      title: { new: "Nouveau formulaire" },
      subtitle: {
        new: "Indiquez vos coordonnées ci-dessous",
        coaching: "Deux petites étapes, environ deux minutes",
        show: "Parlez-moi de votre soirée",
        brand: "Parlez-moi de votre marque",
      },
      thankYouMessage: {
        coaching: "Merci. Je lis chaque demande moi-même et je vous réponds très vite.",
        show: "Merci. Je vérifie la date et je vous réponds très vite.",
        brand: "Merci. Je regarde cela et je vous réponds très vite.",
      },
    },
    formSteps: {
      title: {
        new: "Étape",
        numbered: "Étape {number}",
        you: "À votre sujet",
        goal: "Votre objectif",
        show: "Le spectacle",
        plan: "Le projet",
      },
    },
    formFields: {
      label: {
        new: "Nouveau champ",
        name: "Votre nom",
        email: "Adresse e-mail",
        phone: "Téléphone",
        country: "Où habitez-vous ?",
        times: "Quand êtes-vous disponible ?",
        budget: "Budget",
        guests: "Combien d’invités ?",
        consent:
          "J’accepte que mes réponses soient conservées afin que vous puissiez me répondre. Plus d’informations : /privacy-policy",
        change: "Que souhaitez-vous changer ?",
        venue: "Entreprise ou lieu",
        showDate: "Date du spectacle",
        town: "Ville",
        venueLink: "Lien vers le lieu ou l’événement",
        brand: "Marque",
        brandLink: "Lien vers le site de la marque",
        planned: "Qu’avez-vous prévu ?",
        channels: "Où cela sera-t-il diffusé ?",
        about: "De quoi s’agit-il ?",
        source: "Comment avez-vous entendu parler de moi ?",
        company: "Entreprise",
        date: "Date",
        more: "Autre chose ?",
      },
      options: {
        mornings: "En semaine, le matin",
        evenings: "En semaine, le soir",
        weekends: "Le week-end",
        upTo500: "Jusqu’à 500",
        upTo2000: "De 500 à 2000",
        upTo5000: "De 2000 à 5000",
        over5000: "Plus de 5000",
        notFixed: "Je ne sais pas encore",
        television: "Télévision",
        print: "Presse écrite",
        friend: "Par une connaissance",
        search: "Par une recherche en ligne",
        show: "Lors d’un spectacle",
        elsewhere: "Ailleurs",
      },
    },
  },
};
