/** The privacy policy in Portuguese. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const pt: Policy = {
  title: "Política de privacidade",
  updated: "Última atualização:",
  introduction: {
    title: "Introdução",
    text: "Este é o site de {name}, que decide o que acontece com os seus dados. Você pode ler todas as páginas sem nos dizer quem é. Esta política explica o que coletamos quando você visita o site, nos escreve ou se inscreve na newsletter, como usamos esses dados e quais são os seus direitos.",
  },
  collected: {
    title: "Dados que coletamos",
    personal: "Dados pessoais",
    lead: "Guardamos apenas o que você digita e nos envia:",
    enquiry:
      "Quando você envia um pedido: suas respostas às perguntas do formulário, como nome, e-mail, telefone, país e mensagem. Se sugerirmos horários para uma conversa, também o horário que você escolher ou a mensagem que escrever em vez disso.",
    mailingList:
      "Quando você se inscreve na newsletter: seu e-mail e também seu nome, se você o informar. Também guardamos o texto de consentimento com que você concordou e a data.",
    testimonial:
      "Quando você escreve um depoimento por um link nosso: seu depoimento, seu nome, sua função, o texto de consentimento com que você concordou e a data, e seu e-mail se enviamos o link para lá. Depois de lê-lo, nós o mostramos neste site. Com o mesmo link você pode retirá-lo a qualquer momento.",
    automatic: "Dados coletados automaticamente",
    traces:
      "Quando você envia um pedido ou altera a sua inscrição, guardamos a hora, o seu endereço IP e o nome do seu navegador, para distinguir pessoas de robôs. O endereço e o navegador são removidos após {days}.",
    days: { one: "um dia", other: "{count} dias" },
    counts:
      "Para conter enxurradas de mensagens e tentativas de adivinhar senhas, o servidor conta as solicitações por endereço IP. Essas contagens ficam apenas na memória e se perdem quando o servidor reinicia.",
    nothingElse:
      "Não há análise de audiência, publicidade nem rastreamento neste site, e não criamos um perfil seu.",
  },
  used: {
    title: "Como usamos seus dados",
    enquiries:
      "Pedidos: para responder a você e, se combinarmos trabalhar juntos, preparar o seu coaching.",
    mailingList:
      "A newsletter: para enviar as novidades que você pediu, até que você cancele a inscrição. Isso é possível a qualquer momento em NOVIDADES, na página inicial, e pelo link de cada newsletter. Endereços não confirmados em 7 dias são removidos. De cada newsletter sabemos se o seu servidor de e-mail a aceitou e se você cancelou a inscrição por ela. Nunca registramos se você a lê ou se clica nos links.",
    address:
      "Seu e-mail: para enviar o que você pediu, como um link de confirmação, um agradecimento pelo seu pedido ou a nossa resposta.",
    traces: "Endereços IP e nomes de navegadores: para proteger o site contra abusos.",
    grounds:
      "Fazemos isso porque você pediu (seu consentimento, ou medidas anteriores a um contrato) e, para a proteção do site, porque temos um interesse legítimo. Não tomamos decisões automatizadas sobre você.",
  },
  shared: {
    title: "Com quem compartilhamos dados",
    storedHere:
      "Não vendemos, alugamos nem trocamos os seus dados. O que você envia fica guardado no próprio servidor deste site; nenhum formulário ou serviço de análise de outra empresa coleta esses dados nestas páginas.",
    storedElsewhere:
      "Não vendemos, alugamos nem trocamos os seus dados. O que você envia fica guardado em um banco de dados deste site em outro servidor; nenhum formulário ou serviço de análise de outra empresa coleta esses dados nestas páginas.",
    handedOn:
      "Um pedido pode ser encaminhado a um programa que usamos para responder a ele e enviado como notificação criptografada aos nossos próprios dispositivos. Os e-mails que enviamos a você passam pelo nosso provedor de e-mail e pelo seu, que podem ver o seu endereço e o conteúdo.",
    host: "A empresa que hospeda o servidor pode acessá-lo por razões técnicas.",
    hosts: "As empresas que hospedam estes servidores podem acessá-los por razões técnicas.",
    backups:
      "Cópias de segurança criptografadas são guardadas em outro lugar para o caso de falha do servidor.",
    law: "Fornecemos dados quando a lei nos obriga.",
    pictures:
      "As imagens destas páginas são carregadas de {host}, que recebe o seu endereço IP e dados do seu navegador quando você visita o site.",
    fonts:
      "As fontes destas páginas são carregadas de {host}, que recebe o seu endereço IP e dados do seu navegador quando você visita o site.",
    videos:
      "Os vídeos destas páginas só são carregados de {host} quando você inicia um deles. O serviço de onde vem o vídeo recebe então o seu endereço IP e dados do seu navegador, e vale a política de privacidade dele.",
  },
  security: {
    title: "Segurança dos dados",
    text: "Só o software deste site, a pessoa responsável por ele e as pessoas que têm uma conta podem acessar os dados guardados. As senhas são guardadas como hash. Imagens e textos são verificados antes de serem guardados, e as páginas não permitem scripts de terceiros. Nenhuma forma de guardar ou enviar dados é totalmente segura, mas guardamos poucos dados, e não por mais tempo do que o necessário.",
  },
  rights: {
    title: "Seus direitos",
    lead: "A qualquer momento você pode nos pedir para:",
    access: "informar quais dados temos sobre você e fornecer uma cópia deles em um formato comum;",
    correct: "corrigir os dados que estiverem errados;",
    erase:
      "apagar os seus dados, junto com as versões anteriores. O que excluímos por conta própria pode ser recuperado por 30 dias; o que apagamos a seu pedido, não;",
    object:
      "deixar de usá-los ou limitar o uso deles; você também pode retirar um consentimento que tenha dado.",
    complain:
      "Você também pode apresentar uma reclamação à autoridade de proteção de dados do país em que vive; no Brasil é a Autoridade Nacional de Proteção de Dados, em Portugal a Comissão Nacional de Proteção de Dados.",
  },
  cookies: {
    title: "Cookies",
    text: "Quem visita o site não recebe cookies. Os únicos cookies deste site são os de login da pessoa responsável por ele e de quem tem uma conta. Enquanto você preenche um pedido, seu navegador guarda as respostas por no máximo um dia, para que não se percam quando a página é recarregada; elas ficam no seu navegador e são removidas quando o pedido é enviado ou você fecha a aba. Até lá, o navegador também lembra até onde você tinha rolado a página. Até você fechar a aba, ele lembra ainda que a animação de abertura já foi exibida, para não repeti-la.",
  },
  links: {
    title: "Links para sites de terceiros",
    text: "Nossas páginas têm links para outros sites, como redes sociais e a imprensa. Eles têm políticas de privacidade próprias, pelas quais não somos responsáveis. Se nossos textos mostram uma imagem de outro site, esse site recebe o seu endereço IP quando o navegador a carrega.",
  },
  children: {
    title: "Privacidade das crianças",
    text: "Este site não se destina a crianças com menos de 13 anos, e não coletamos dados delas intencionalmente. Se você acha que uma criança com menos de 13 anos nos escreveu, avise-nos, e apagaremos os dados.",
  },
  changes: {
    title: "Mudanças nesta política",
    text: "Quando o site muda, esta política muda com ele.",
  },
  contact: {
    title: "Contato",
    email: "Escreva para {name}: {email}.",
    elsewhere:
      "Escreva para {name} pelo formulário da {coaching} ou por um dos perfis que estão na {home}.",
    coaching: "página de coaching",
    home: "página inicial",
  },
};
