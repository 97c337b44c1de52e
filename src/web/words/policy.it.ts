/** The privacy policy in Italian. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const it: Policy = {
  title: "Informativa sulla privacy",
  updated: "Ultimo aggiornamento:",
  introduction: {
    title: "Introduzione",
    text: "Questo è il sito di {name}, che decide come vengono usati i tuoi dati. Puoi leggere ogni pagina senza dirci chi sei. Questa informativa spiega che cosa raccogliamo quando visiti il sito, ci scrivi o ti iscrivi alla newsletter, come lo usiamo e quali diritti hai.",
  },
  collected: {
    title: "Quali informazioni raccogliamo",
    personal: "Informazioni personali",
    lead: "Conserviamo solo ciò che scrivi e ci invii tu:",
    enquiry:
      "Quando invii una richiesta: le tue risposte alle domande del modulo, come il nome, l’indirizzo e-mail, il numero di telefono, il paese e il messaggio. Se ti proponiamo degli orari per un appuntamento, anche quello che scegli, o ciò che scrivi in alternativa.",
    mailingList:
      "Quando ti iscrivi alla newsletter: il tuo indirizzo e-mail e, se lo indichi, il tuo nome. Conserviamo anche il testo del consenso che hai dato e la data.",
    testimonial:
      "Quando scrivi una testimonianza tramite un nostro link: la testimonianza, il tuo nome, il tuo ruolo, il testo del consenso che hai dato e la data, e il tuo indirizzo e-mail se ti abbiamo inviato lì il link. La mostriamo su questo sito dopo averla letta. Puoi ritirarla in qualsiasi momento con lo stesso link.",
    automatic: "Informazioni raccolte automaticamente",
    traces:
      "Quando invii una richiesta o modifichi la tua iscrizione, salviamo la data e l’ora, il tuo indirizzo IP e il nome del tuo browser, per distinguere le persone dai robot. L’indirizzo IP e il nome del browser vengono cancellati dopo {days}.",
    days: { one: "un giorno", other: "{count} giorni" },
    counts:
      "Per fermare ondate di messaggi e tentativi di indovinare le password, il server conta gli accessi per indirizzo IP. Questi conteggi restano solo in memoria e si perdono quando il server si riavvia.",
    nothingElse:
      "Questo sito non usa strumenti di analisi, pubblicità o tracciamento, e non creiamo alcun profilo su di te.",
  },
  used: {
    title: "Come usiamo le tue informazioni",
    enquiries:
      "Le richieste: per risponderti e, se decidiamo di lavorare insieme, per preparare il tuo coaching.",
    mailingList:
      "La newsletter: per inviarti le novità che hai chiesto, finché non annulli l’iscrizione. Puoi farlo in qualsiasi momento sotto NOVITÀ nella home page e con il link in ogni newsletter. Gli indirizzi non confermati entro 7 giorni vengono cancellati. Di ogni newsletter sappiamo se il tuo server di posta l’ha accettata e se da lì hai annullato l’iscrizione. Non registriamo mai se la leggi o se apri i suoi link.",
    address:
      "Il tuo indirizzo e-mail: per inviarti ciò che hai chiesto, come un link di conferma, un ringraziamento per la tua richiesta o la nostra risposta.",
    traces: "Gli indirizzi IP e i nomi dei browser: per proteggere il sito dagli abusi.",
    grounds:
      "Lo facciamo perché l’hai chiesto tu (il tuo consenso, o misure precontrattuali) e, per la protezione del sito, in base al nostro legittimo interesse. Non prendiamo decisioni automatizzate su di te.",
  },
  shared: {
    title: "Condivisione delle informazioni",
    storedHere:
      "Non vendiamo, affittiamo né scambiamo le tue informazioni. Ciò che invii è salvato sul server di questo sito; nessun servizio di moduli o di analisi di un’altra azienda lo raccoglie in queste pagine.",
    storedElsewhere:
      "Non vendiamo, affittiamo né scambiamo le tue informazioni. Ciò che invii è salvato in un database di questo sito su un altro server; nessun servizio di moduli o di analisi di un’altra azienda lo raccoglie in queste pagine.",
    handedOn:
      "Una richiesta può essere inoltrata a un programma che usiamo per risponderti e inviata come notifica cifrata ai nostri dispositivi. Le e-mail che ti inviamo passano per il nostro fornitore di posta e per il tuo, che possono vedere il tuo indirizzo e il contenuto.",
    host: "L’azienda che ospita il server può accedervi per motivi tecnici.",
    hosts: "Le aziende che ospitano questi server possono accedervi per motivi tecnici.",
    backups: "Conserviamo backup cifrati in un altro luogo, nel caso in cui il server si guasti.",
    law: "Comunichiamo informazioni quando la legge lo impone.",
    pictures:
      "Le immagini di queste pagine sono caricate da {host}, che riceve il tuo indirizzo IP e i dati del tuo browser quando ci visiti.",
    fonts:
      "I caratteri di queste pagine sono caricati da {host}, che riceve il tuo indirizzo IP e i dati del tuo browser quando ci visiti.",
    videos:
      "I video di queste pagine vengono caricati da {host} solo quando ne avvii uno. In quel momento il tuo indirizzo IP e i dati del tuo browser vengono inviati a {host}, e si applica la relativa informativa sulla privacy.",
  },
  security: {
    title: "Sicurezza dei dati",
    text: "Solo il software di questo sito, il suo titolare e le persone che hanno un account possono accedere ai dati salvati. Le password sono conservate come hash. Immagini e testi vengono controllati prima di essere salvati, e le pagine non ammettono script di terzi. Nessun modo di salvare o inviare dati è perfettamente sicuro, ma conserviamo poco, e non più a lungo del necessario.",
  },
  rights: {
    title: "I tuoi diritti",
    lead: "Puoi chiederci in qualsiasi momento di:",
    access: "dirti quali dati abbiamo su di te e dartene una copia in un formato comune;",
    correct: "correggere quelli sbagliati;",
    erase:
      "cancellarli, insieme alle versioni precedenti. I dati che eliminiamo noi si possono ripristinare per 30 giorni; quelli che ci chiedi di cancellare, no;",
    object: "smettere di usarli, o usarli meno; puoi anche ritirare il consenso che hai dato.",
    complain:
      "Puoi anche presentare reclamo all’autorità per la protezione dei dati del paese in cui vivi; in Italia è il Garante per la protezione dei dati personali.",
  },
  cookies: {
    title: "Cookie",
    text: "Chi visita il sito non riceve cookie. Gli unici cookie di questo sito sono quelli di accesso del titolare e di chi ha un account. Mentre compili una richiesta, il tuo browser conserva le tue risposte per un giorno al massimo, perché non vadano perse se la pagina viene ricaricata; restano nel tuo browser e vengono cancellate appena la richiesta è inviata o chiudi la scheda. Fino ad allora il tuo browser ricorda anche fin dove avevi fatto scorrere la pagina. Finché non chiudi la scheda, ricorda inoltre che l’animazione iniziale è già stata mostrata, per non ripeterla.",
  },
  links: {
    title: "Link ad altri siti",
    text: "Le nostre pagine contengono link ad altri siti, come i social network e la stampa. Questi hanno le proprie informative sulla privacy, di cui non siamo responsabili. Se i nostri testi mostrano un’immagine di un altro sito, quel sito riceve il tuo indirizzo IP quando il tuo browser la carica.",
  },
  children: {
    title: "Privacy dei minori",
    text: "Questo sito non è destinato ai minori di 13 anni, e non raccogliamo consapevolmente informazioni su di loro. Se pensi che un minore di 13 anni ci abbia scritto, faccelo sapere e cancelleremo ciò che ci ha inviato.",
  },
  changes: {
    title: "Modifiche a questa informativa",
    text: "Quando il sito cambia, cambia anche questa informativa.",
  },
  contact: {
    title: "Contatti",
    email: "Scrivi a {name} all’indirizzo {email}.",
    elsewhere:
      "Scrivi a {name} con il modulo di richiesta nella {coaching}, o attraverso uno dei profili indicati nella {home}.",
    coaching: "pagina del coaching",
    home: "home page",
  },
};
