/** The default texts in Portuguese. */
import type { DefaultTexts } from "./defaults.en.ts";

export const pt: DefaultTexts = {
  headings: {
    about: { title: "Sobre mim" },
    highlightSettings: { heading: "Destaques" },
    connectSettings: { heading: "Contato" },
    pressSettings: { heading: "Imprensa e mídia" },
    coachingHero: {
      mainTitle: "Coaching",
      subtitle: "e mentoria",
    },
    transformationSettings: { heading: "Transformações" },
    videoSettings: { heading: "Showreel" },
    eventSettings: { heading: "Agenda" },
    testimonialSettings: { heading: "Depoimentos" },
    packageSettings: { heading: "Pacotes" },
    forms: {
      title: {
        coaching: "Comece seu coaching",
        show: "Contrate um show",
        brand: "Parcerias",
      },
    },
  },
  texts: {
    site: { name: "Seu nome" },
    hero: {
      mainTitle: "Seu nome",
      subtitle: "Seu nome",
      tagline: "Performer • Personalidade de reality shows • Dreamboy",
      buttonText: {
        coaching: "Comece seu coaching",
        show: "Contrate um show",
      },
    },
    about: { content: "<p>No palco, na tela e no coaching: um nome que fica na memória.</p>" },
    connectSettings: {
      description: "<p>Acompanhe meu trabalho e fique por dentro dos próximos projetos!</p>",
    },
    pressSettings: { description: "Na televisão e na imprensa" },
    coachingHero: {
      tagline: "Transforme seu potencial em sucesso",
      buttonText: {
        coaching: "Comece seu coaching",
        show: "Contrate um show",
      },
    },
    eventSettings: {
      noDates: "Sem datas no momento. Inscreva-se na newsletter para saber em primeira mão.",
    },
    packages: { buttonText: "Reservar" },
    forms: {
      name: {
        new: "Formulário {number}",
        coaching: "Pedido de coaching",
        show: "Contratação de show",
        brand: "Marcas e campanhas",
      },
      title: { new: "Novo formulário" },
      subtitle: {
        new: "Preencha seus dados abaixo",
        coaching: "Duas etapas curtas, cerca de dois minutos",
        show: "Conte-me sobre o seu evento",
        brand: "Conte-me sobre a sua marca",
      },
      thankYouMessage: {
        coaching: "Agradeço a sua mensagem. Leio cada pedido pessoalmente e responderei em breve.",
        show: "Agradeço a sua mensagem. Vou conferir a data e responderei em breve.",
        brand: "Agradeço a sua mensagem. Vou analisar e responderei em breve.",
      },
    },
    formSteps: {
      title: {
        new: "Etapa",
        numbered: "Etapa {number}",
        you: "Sobre você",
        goal: "Seu objetivo",
        show: "O show",
        plan: "O projeto",
      },
    },
    formFields: {
      label: {
        new: "Novo campo",
        name: "Seu nome",
        email: "E-mail",
        phone: "Telefone",
        country: "Onde você mora?",
        times: "Quando fica bom para você?",
        budget: "Orçamento",
        guests: "Quantos convidados?",
        consent:
          "Concordo que minhas respostas sejam guardadas para que você possa me responder. Saiba mais em /privacy-policy",
        change: "O que você gostaria de mudar?",
        venue: "Empresa ou local",
        showDate: "Data do show",
        town: "Cidade",
        venueLink: "Link do local ou do evento",
        brand: "Marca",
        brandLink: "Link do site da marca",
        planned: "O que você está planejando?",
        channels: "Onde será publicado?",
        about: "Do que se trata?",
        source: "Como você me encontrou?",
        company: "Empresa",
        date: "Data",
        more: "Mais alguma coisa?",
      },
      options: {
        mornings: "Dias úteis de manhã",
        evenings: "Dias úteis à noite",
        weekends: "Fins de semana",
        upTo500: "Até 500",
        upTo2000: "De 500 a 2000",
        upTo5000: "De 2000 a 5000",
        over5000: "Mais de 5000",
        notFixed: "Ainda não sei",
        television: "Televisão",
        print: "Mídia impressa",
        friend: "Por alguém que conheço",
        search: "Por uma busca",
        show: "Em um show",
        elsewhere: "De outra forma",
      },
    },
  },
};
