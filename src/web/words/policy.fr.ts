/** The privacy policy in French. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const fr: Policy = {
  title: "Politique de confidentialité",
  updated: "Dernière mise à jour :",
  introduction: {
    title: "Introduction",
    text: "Ce site est édité par {name}, qui décide de l’usage qui est fait de vos données. Vous pouvez lire toutes les pages sans nous dire qui vous êtes. Cette politique explique ce que nous recueillons quand vous visitez le site, que vous nous écrivez ou que vous vous inscrivez à la newsletter, comment nous l’utilisons, et quels sont vos droits.",
  },
  collected: {
    title: "Les informations que nous recueillons",
    personal: "Informations personnelles",
    lead: "Nous n’enregistrons que ce que vous saisissez et nous envoyez vous-même :",
    enquiry:
      "Quand vous envoyez une demande : vos réponses aux questions du formulaire, comme votre nom, votre adresse e-mail, votre numéro de téléphone, votre pays et votre message. Si nous vous proposons des horaires pour un entretien, également celui que vous choisissez, ou ce que vous écrivez à la place.",
    mailingList:
      "Quand vous vous inscrivez à la newsletter : votre adresse e-mail et, si vous le donnez, votre nom. Nous conservons aussi le texte de consentement que vous avez accepté et la date.",
    testimonial:
      "Quand vous écrivez un témoignage à partir d’un lien de notre part : votre témoignage, votre nom, votre fonction, le texte de consentement que vous avez accepté et la date, et votre adresse e-mail si nous y avons envoyé le lien. Nous le publions sur ce site après l’avoir lu. Le même lien vous permet de le retirer à tout moment.",
    automatic: "Informations recueillies automatiquement",
    traces:
      "Quand vous envoyez une demande ou modifiez votre inscription, nous enregistrons la date et l’heure, votre adresse IP et le nom de votre navigateur, afin de distinguer les personnes des robots. L’adresse IP et le nom du navigateur sont effacés au bout de {days}.",
    days: { one: "{count} jour", other: "{count} jours" },
    counts:
      "Pour empêcher les envois massifs et les essais répétés de mots de passe, le serveur compte les requêtes par adresse IP. Ces décomptes ne sont gardés qu’en mémoire et disparaissent quand le serveur redémarre.",
    nothingElse:
      "Il n’y a sur ce site ni mesure d’audience, ni publicité, ni pistage, et nous n’établissons aucun profil vous concernant.",
  },
  used: {
    title: "Comment nous utilisons vos informations",
    enquiries:
      "Les demandes : pour vous répondre et, si nous décidons de travailler ensemble, pour préparer votre coaching.",
    mailingList:
      "La newsletter : pour vous envoyer les actualités que vous avez demandées, jusqu’à votre désinscription. Vous pouvez vous désinscrire à tout moment sous NEWSLETTER sur la page d’accueil, et par le lien présent dans chaque newsletter. Les adresses qui ne sont pas confirmées dans les 7 jours sont effacées. Pour chaque newsletter, nous savons si votre serveur de messagerie l’a acceptée et si elle a donné lieu à votre désinscription. Nous ne cherchons jamais à savoir si vous la lisez ni si vous cliquez sur ses liens.",
    address:
      "Votre adresse e-mail : pour vous envoyer ce que vous avez demandé, comme un lien de confirmation, un remerciement pour votre demande ou notre réponse.",
    traces: "Les adresses IP et les noms de navigateurs : pour protéger le site contre les abus.",
    grounds:
      "Nous le faisons parce que vous l’avez demandé (votre consentement, ou des mesures précontractuelles) et, pour la protection du site, parce que nous y avons un intérêt légitime. Nous ne prenons aucune décision automatisée à votre sujet.",
  },
  shared: {
    title: "Partage des informations",
    storedHere:
      "Nous ne vendons, ne louons ni n’échangeons vos informations. Ce que vous envoyez est enregistré sur le serveur de ce site lui-même ; aucun service de formulaires ou de mesure d’audience d’une autre société ne le recueille sur ces pages.",
    storedElsewhere:
      "Nous ne vendons, ne louons ni n’échangeons vos informations. Ce que vous envoyez est enregistré dans une base de données de ce site sur un autre serveur ; aucun service de formulaires ou de mesure d’audience d’une autre société ne le recueille sur ces pages.",
    handedOn:
      "Une demande peut être transmise à un logiciel que nous utilisons pour y répondre, et envoyée sous forme de notification chiffrée à nos propres appareils. Les e-mails que nous vous envoyons passent par notre fournisseur de messagerie et par le vôtre, qui peuvent voir votre adresse et le contenu.",
    host: "La société qui héberge le serveur peut y accéder pour des raisons techniques.",
    hosts: "Les sociétés qui hébergent ces serveurs peuvent y accéder pour des raisons techniques.",
    backups:
      "Des sauvegardes chiffrées sont conservées à un autre endroit, en cas de panne du serveur.",
    law: "Nous transmettons des informations quand la loi nous y oblige.",
    pictures:
      "Les images de ces pages sont chargées depuis {host}, qui reçoit votre adresse IP et des informations sur votre navigateur lors de votre visite.",
    fonts:
      "Les polices de caractères de ces pages sont chargées depuis {host}, qui reçoit votre adresse IP et des informations sur votre navigateur lors de votre visite.",
    videos:
      "Les vidéos de ces pages ne sont chargées depuis {host} que lorsque vous en lancez une. Votre adresse IP et des informations sur votre navigateur sont alors envoyées à {host}, et la politique de confidentialité de ce service s’applique.",
  },
  security: {
    title: "Sécurité des données",
    text: "Seuls le logiciel de ce site, la personne à qui il appartient et celles qui ont un compte peuvent accéder aux données enregistrées. Les mots de passe sont conservés sous forme d’empreintes cryptographiques. Les images et les textes sont vérifiés avant d’être enregistrés, et les pages n’autorisent aucun script de tiers. Aucune façon d’enregistrer ou d’envoyer des données n’est parfaitement sûre, mais nous conservons peu de choses, et pas plus longtemps que nécessaire.",
  },
  rights: {
    title: "Vos droits",
    lead: "Vous pouvez nous demander à tout moment :",
    access:
      "de vous dire quelles données nous avons sur vous, et de vous en donner une copie dans un format courant ;",
    correct: "de corriger celles qui sont inexactes ;",
    erase:
      "de les effacer, ainsi que leurs versions antérieures. Ce que nous supprimons de nous-mêmes peut être restauré pendant 30 jours ; ce que vous nous demandez d’effacer ne le peut pas ;",
    object:
      "de ne plus les utiliser, ou de moins les utiliser. Vous pouvez aussi retirer votre consentement.",
    complain:
      "Vous pouvez aussi vous adresser à l’autorité de protection des données du pays où vous vivez ; en France, c’est la CNIL.",
  },
  cookies: {
    title: "Cookies",
    text: "Les visiteurs ne reçoivent aucun cookie. Les seuls cookies de ce site sont les cookies de connexion de la personne à qui il appartient et de celles qui ont un compte. Pendant que vous remplissez une demande, votre navigateur conserve vos réponses pendant un jour au plus, pour qu’elles ne soient pas perdues quand la page est rechargée ; elles restent dans votre navigateur et sont effacées dès que la demande est envoyée ou que vous fermez l’onglet. Jusque-là, votre navigateur se souvient aussi de l’endroit où vous en étiez dans la page. Jusqu’à la fermeture de l’onglet, il se souvient également que l’animation d’ouverture a été jouée, pour ne pas la répéter.",
  },
  links: {
    title: "Liens vers d’autres sites",
    text: "Nos pages renvoient à d’autres sites, comme les réseaux sociaux et la presse. Ils ont leurs propres politiques de confidentialité, dont nous ne sommes pas responsables. Si nos textes montrent une image d’un autre site, ce site reçoit votre adresse IP quand votre navigateur la charge.",
  },
  children: {
    title: "Vie privée des enfants",
    text: "Ce site n’est pas destiné aux enfants de moins de 13 ans, et nous ne recueillons pas sciemment d’informations auprès d’eux. Si vous pensez qu’un enfant de moins de 13 ans nous a écrit, dites-le-nous, et nous effacerons son message.",
  },
  changes: {
    title: "Modifications de cette politique",
    text: "Quand le site change, cette politique change avec lui.",
  },
  contact: {
    title: "Nous contacter",
    email: "Écrivez à {name} à l’adresse {email}.",
    elsewhere:
      "Écrivez à {name} par le formulaire de demande de la {coaching}, ou par l’un des profils indiqués sur la {home}.",
    coaching: "page de coaching",
    home: "page d’accueil",
  },
};
