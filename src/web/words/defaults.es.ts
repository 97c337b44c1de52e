/** The default texts in Spanish. */
import type { DefaultTexts } from "./defaults.en.ts";

export const es: DefaultTexts = {
  headings: {
    about: { title: "Sobre mí" },
    highlightSettings: { heading: "Momentos destacados" },
    connectSettings: { heading: "Sígueme" },
    pressSettings: { heading: "Prensa y medios" },
    coachingHero: {
      mainTitle: "Coaching",
      subtitle: "y mentoría",
    },
    transformationSettings: { heading: "Transformaciones" },
    videoSettings: { heading: "Videobook" },
    eventSettings: { heading: "Fechas" },
    testimonialSettings: { heading: "Testimonios" },
    packageSettings: { heading: "Servicios" },
    forms: {
      title: {
        coaching: "Trabaja conmigo",
        show: "Contrata un espectáculo",
        brand: "Colaboremos",
      },
    },
  },
  texts: {
    site: { name: "Tu nombre" },
    hero: {
      mainTitle: "Tu nombre",
      subtitle: "Tu nombre",
      tagline: "Artista • Figura de la telerrealidad • Dreamboy",
      buttonText: {
        coaching: "Trabaja conmigo",
        show: "Contratar un espectáculo",
      },
    },
    about: {
      content:
        "<p>En el escenario, en la pantalla y en cada sesión: un nombre que se recuerda.</p>",
    },
    connectSettings: { description: "<p>¡Sígueme y entérate de mis próximos proyectos!</p>" },
    pressSettings: { description: "En las principales cadenas y publicaciones" },
    coachingHero: {
      tagline: "Convierte tu potencial en éxito",
      buttonText: {
        coaching: "Trabaja conmigo",
        show: "Contratar un espectáculo",
      },
    },
    eventSettings: {
      noDates: "No hay fechas por ahora. Suscríbete al boletín y entérate antes que nadie.",
    },
    packages: { buttonText: "Reservar" },
    forms: {
      name: {
        new: "Formulario {number}",
        coaching: "Consulta de coaching",
        show: "Contratación de espectáculo",
        brand: "Marcas y campañas",
      },
      title: { new: "Nuevo formulario" },
      subtitle: {
        new: "Escribe tus datos a continuación",
        coaching: "Dos pasos cortos, unos dos minutos",
        show: "Cuéntame cómo será tu evento",
        brand: "Háblame de tu marca",
      },
      thankYouMessage: {
        coaching: "Gracias. Leo personalmente cada mensaje y te responderé pronto.",
        show: "Gracias. Miro la fecha y te respondo pronto.",
        brand: "Gracias. Lo miro y te respondo pronto.",
      },
    },
    formSteps: {
      title: {
        new: "Paso",
        numbered: "Paso {number}",
        you: "Sobre ti",
        goal: "Tu objetivo",
        show: "El espectáculo",
        plan: "El proyecto",
      },
    },
    formFields: {
      label: {
        new: "Nuevo campo",
        name: "Tu nombre",
        email: "Correo electrónico",
        phone: "Teléfono",
        country: "¿Dónde vives?",
        times: "¿Cuándo te viene bien?",
        budget: "Presupuesto",
        guests: "¿Cuántos invitados?",
        consent:
          "Acepto que se guarden mis respuestas para que puedas contestarme. Más información en /privacy-policy",
        change: "¿Qué te gustaría cambiar?",
        venue: "Empresa o local",
        showDate: "Fecha del espectáculo",
        town: "Ciudad",
        venueLink: "Enlace al local o al evento",
        brand: "Marca",
        brandLink: "Enlace a la web de la marca",
        planned: "¿Qué tienes en mente?",
        channels: "¿Dónde se publicará?",
        about: "¿De qué se trata?",
        source: "¿Cómo me has encontrado?",
        company: "Empresa",
        date: "Fecha",
        more: "¿Algo más?",
      },
      options: {
        mornings: "Entre semana por la mañana",
        evenings: "Entre semana por la tarde",
        weekends: "Los fines de semana",
        upTo500: "Hasta 500",
        upTo2000: "De 500 a 2000",
        upTo5000: "De 2000 a 5000",
        over5000: "Más de 5000",
        notFixed: "Aún no lo sé",
        television: "Televisión",
        print: "Prensa",
        friend: "Por alguien que conozco",
        search: "Buscando en internet",
        show: "En un espectáculo",
        elsewhere: "En otro sitio",
      },
    },
  },
};
