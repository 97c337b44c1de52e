/** The privacy policy in Portuguese. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const pt: Policy = {
  title: "Política de privacidade",
  updated: "Última atualização:",
  introduction: {
    title: "Introdução",
    text: "Este é o site de {name}, que decide o que acontece com os seus dados. Você pode ler todas as páginas sem nos dizer quem é. Esta política diz o que ficamos sabendo quando você visita o site, nos escreve ou se inscreve na lista, para que usamos isso e o que você pode nos pedir.",
  },
  collected: {
    title: "Dados que coletamos",
    personal: "Dados pessoais",
    lead: "Guardamos apenas o que você mesmo digita e nos envia:",
    enquiry:
      "Quando você envia um pedido: suas respostas às perguntas do formulário, como nome, e-mail, telefone, país e mensagem. Se sugerirmos horários para uma conversa, também qual você escolhe, ou o que você escreve em vez disso.",
    mailingList:
      "Quando você se inscreve na lista: seu e-mail e, se o informar, seu nome. Com eles guardamos o texto com que você concordou e quando o fez.",
    testimonial:
      "Quando você escreve um depoimento por um link que lhe demos: seu depoimento, seu nome, sua função, o texto com que você concordou e quando o fez, e seu e-mail se enviamos o link para lá. Nós o mostramos neste site depois de lê-lo; com o mesmo link você pode retirá-lo a qualquer momento.",
    automatic: "Dados coletados automaticamente",
    traces:
      "Com um pedido e com uma mudança na lista guardamos a hora, o seu endereço IP e o nome com que o seu navegador se identifica, para distinguir pessoas de robôs. O endereço e o navegador são removidos após {days}.",
    days: { one: "um dia", other: "{count} dias" },
    counts:
      "Para conter enxurradas de mensagens e tentativas de adivinhar senhas, o servidor conta as solicitações por endereço IP. Essas contagens ficam apenas na memória de trabalho e acabam quando ele reinicia.",
    nothingElse:
      "Não há análise de audiência, publicidade nem rastreamento neste site, e não criamos um perfil seu.",
  },
  used: {
    title: "Como usamos seus dados",
    enquiries:
      "Pedidos: para responder a você e, se combinarmos trabalhar juntos, preparar o seu coaching.",
    mailingList:
      "A lista: para enviar as novidades que você pediu, até que cancele a inscrição. Isso é possível a qualquer momento em NOVIDADES, na página inicial, e pelo link de cada newsletter. Um endereço que não for confirmado em 7 dias após o nosso pedido é removido. De uma newsletter ficamos sabendo se o seu servidor de e-mail a aceitou e se você cancelou a inscrição por ela, nunca se a leu: não há nela imagens escondidas nem links contados.",
    address:
      "Seu e-mail: para enviar o que você pediu ao informá-lo, como um link para confirmá-lo, nosso agradecimento por um pedido ou nossa resposta.",
    traces: "Endereços e navegadores: para proteger o site contra abusos.",
    grounds:
      "Fazemos isso porque você pediu (seu consentimento, ou medidas antes de um contrato) e, para proteger o site, porque temos nisso um interesse legítimo. Não tomamos decisões automatizadas sobre você.",
  },
  shared: {
    title: "Com quem compartilhamos dados",
    storedHere:
      "Não vendemos, alugamos nem trocamos os seus dados. O que você envia fica guardado no próprio servidor deste site; nenhum formulário ou serviço de análise de outra empresa o coleta nestas páginas.",
    storedElsewhere:
      "Não vendemos, alugamos nem trocamos os seus dados. O que você envia fica guardado em um banco de dados deste site em outro servidor; nenhum formulário ou serviço de análise de outra empresa o coleta nestas páginas.",
    handedOn:
      "De lá, um pedido pode ser passado a um programa que usamos para respondê-lo e avisado nos nossos próprios aparelhos, criptografado de modo que ninguém no caminho possa lê-lo. Os e-mails que enviamos a você passam pelo provedor que usamos, que pode ver o seu endereço e o conteúdo, e pelo seu.",
    host: "A empresa que hospeda o servidor pode acessá-lo por razões técnicas.",
    hosts: "As empresas que hospedam estes servidores podem acessá-los por razões técnicas.",
    backups:
      "Cópias de segurança, criptografadas de modo que ninguém lá possa lê-las, são guardadas em outro lugar para o caso de o servidor se perder.",
    law: "Repassamos dados quando a lei nos obriga.",
    pictures:
      "As imagens destas páginas são buscadas em {host}, que recebe o seu endereço IP e dados do seu navegador quando você visita o site.",
    fonts:
      "As fontes destas páginas são buscadas em {host}, que recebe o seu endereço IP e dados do seu navegador quando você visita o site.",
    videos:
      "Os vídeos destas páginas são reproduzidos por {host} quando você inicia um, e não antes. A partir daí {host} recebe o seu endereço IP e dados do seu navegador, e vale a política de privacidade desse serviço.",
  },
  security: {
    title: "Segurança dos dados",
    text: "Só o software deste site, quem é dono dele e as pessoas a quem o dono deu uma conta podem ler os dados guardados, por trás de uma senha que é guardada como hash. Imagens e textos são verificados antes de serem guardados, e as páginas não permitem scripts de terceiros. Nenhuma forma de guardar ou enviar dados é totalmente segura, mas guardamos pouco, e não por mais tempo do que o necessário.",
  },
  rights: {
    title: "Seus direitos",
    lead: "A qualquer momento você pode nos pedir que:",
    access: "digamos o que guardamos sobre você e lhe demos uma cópia em um formato comum;",
    correct: "corrijamos o que estiver errado;",
    erase:
      "apaguemos isso, junto com as versões anteriores. O que apenas excluímos fica separado por 30 dias, para o caso de ter sido um engano; o que apagamos a seu pedido, não;",
    object:
      "deixemos de usar isso, ou usemos menos; você também pode retirar um consentimento que tenha dado.",
    complain:
      "Você também pode reclamar à autoridade de proteção de dados do país em que vive; no Brasil é a Autoridade Nacional de Proteção de Dados, em Portugal a Comissão Nacional de Proteção de Dados.",
  },
  cookies: {
    title: "Cookies",
    text: "Quem visita o site não recebe cookies. Os únicos cookies deste site servem para o login de quem é dono dele e de quem tem uma conta. Enquanto você preenche um pedido, seu navegador guarda as respostas por no máximo um dia, para que não se percam quando a página é recarregada; elas ficam no seu navegador e são removidas quando o pedido é enviado ou você fecha a aba. Até lá, o navegador também lembra até onde você tinha rolado a página. Até você fechar a aba, ele lembra que você já viu a entrada da primeira imagem, para não repeti-la.",
  },
  links: {
    title: "Links para terceiros",
    text: "Nossas páginas têm links para outros sites, como redes sociais e a imprensa. Eles só se abrem quando você segue um link e têm políticas de privacidade próprias, pelas quais não somos responsáveis. Onde nossos textos mostram uma imagem guardada em outro site, esse site recebe o seu endereço IP quando o navegador a busca.",
  },
  children: {
    title: "Privacidade das crianças",
    text: "Este site não se destina a crianças com menos de 13 anos, e não coletamos dados delas de propósito. Se você acha que uma criança com menos de 13 anos nos escreveu, avise-nos, e apagaremos os dados.",
  },
  changes: {
    title: "Mudanças nesta política",
    text: "Quando o site muda, esta política muda com ele.",
  },
  contact: {
    title: "Contato",
    email: "Escreva para {name} em {email}.",
    elsewhere:
      "Escreva para {name} pelo formulário da {coaching}, ou por um dos perfis que estão na {home}.",
    coaching: "página de coaching",
    home: "página inicial",
  },
};
