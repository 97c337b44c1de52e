/**
 * Default texts in English, of declarations and ready-made forms. `headings` are declared in capitals; looks with
 * lowercase letters show them as they are written here. `{number}` is a placeholder.
 */
import type { TranslationOf } from "./placeholders.ts";

export const en = {
  headings: {
    about: { title: "About" },
    highlightSettings: { heading: "Highlights" },
    connectSettings: { heading: "Connect" },
    pressSettings: { heading: "Press & features" },
    coachingHero: {
      mainTitle: "Coaching",
      subtitle: "& Mentoring",
    },
    transformationSettings: { heading: "Transformations" },
    videoSettings: { heading: "Showreel" },
    eventSettings: { heading: "Dates" },
    testimonialSettings: { heading: "Testimonials" },
    packageSettings: { heading: "Packages" },
    forms: {
      title: {
        coaching: "Work with me",
        show: "Book a show",
        brand: "Work together",
      },
    },
  },
  texts: {
    site: { name: "Your Name" },
    hero: {
      mainTitle: "Your Name",
      subtitle: "Your Name",
      tagline: "Performer • Reality TV Personality • Dreamboy",
      buttonText: {
        coaching: "Work with me",
        show: "Book a show",
      },
    },
    about: {
      content:
        "<p>A performer and coach with a name people remember, on stage, on screen and in the room.</p>",
    },
    connectSettings: {
      description: "<p>Follow my journey and connect with me on upcoming projects!</p>",
    },
    pressSettings: { description: "Featured on major networks and publications" },
    coachingHero: {
      tagline: "Transform your potential into success",
      buttonText: {
        coaching: "Work with me",
        show: "Book a show",
      },
    },
    eventSettings: {
      noDates: "No upcoming dates. Join the mailing list to hear about new ones first.",
    },
    packages: { buttonText: "Book" },
    forms: {
      name: {
        new: "Form {number}",
        coaching: "Coaching enquiry",
        show: "Booking a show",
        brand: "Brand collaboration",
      },
      title: { new: "New Form" },
      subtitle: {
        new: "Enter your details below",
        coaching: "Two short steps, about two minutes",
        show: "Tell me about your evening",
        brand: "Tell me about your brand",
      },
      thankYouMessage: {
        coaching: "Thank you. I read every enquiry myself and will write back soon.",
        show: "Thank you. I'll check the date and write back soon.",
        brand: "Thank you. I'll take a look and get back to you soon.",
      },
    },
    formSteps: {
      title: {
        new: "Step",
        numbered: "Step {number}",
        you: "About you",
        goal: "Your goal",
        show: "The show",
        plan: "The plan",
      },
    },
    formFields: {
      label: {
        new: "New Field",
        name: "Your name",
        email: "Email address",
        phone: "Phone",
        country: "Where do you live?",
        times: "When works best for you?",
        budget: "Budget",
        guests: "How many guests?",
        consent: "I agree that you may store my answers to reply to me. See /privacy-policy",
        change: "What would you like to change?",
        venue: "Company or venue",
        showDate: "Date of the show",
        town: "Town",
        venueLink: "Link to the venue or the event",
        brand: "Brand",
        brandLink: "Link to the brand's website",
        planned: "What are you planning?",
        channels: "Where will it appear?",
        about: "What is it about?",
        source: "How did you find me?",
        company: "Company",
        date: "Date",
        more: "Anything else?",
      },
      options: {
        mornings: "Weekday mornings",
        evenings: "Weekday evenings",
        weekends: "Weekends",
        upTo500: "Up to 500",
        upTo2000: "500 to 2000",
        upTo5000: "2000 to 5000",
        over5000: "More than 5000",
        notFixed: "Not sure yet",
        television: "Television",
        print: "Print",
        friend: "A friend",
        search: "A search",
        show: "A show",
        elsewhere: "Somewhere else",
      },
    },
  },
} as const;

export type DefaultTexts = TranslationOf<typeof en>;
