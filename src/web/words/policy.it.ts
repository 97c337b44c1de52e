/** The privacy policy in Italian. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const it: Policy = {
  title: "Informativa sulla privacy",
  updated: "Ultimo aggiornamento:",
  introduction: {
    title: "Introduzione",
    text: "Questo è il sito di {name}, che decide che cosa si fa qui dei tuoi dati. Puoi leggere ogni pagina senza dirci chi sei. Questa informativa spiega che cosa veniamo a sapere quando visiti il sito, ci scrivi o ti iscrivi alla mailing list, a che cosa ci serve e che cosa puoi chiederci.",
  },
  collected: {
    title: "Quali informazioni raccogliamo",
    personal: "Informazioni personali",
    lead: "Abbiamo solo ciò che tu stesso scrivi e ci invii:",
    enquiry:
      "Quando invii una richiesta: le tue risposte alle domande del modulo, come il nome, l’indirizzo e-mail, il numero di telefono, il paese e il messaggio. Se ti proponiamo degli orari per un colloquio, anche quello che scegli, o ciò che scrivi in alternativa.",
    mailingList:
      "Quando ti iscrivi alla mailing list: il tuo indirizzo e-mail e, se lo indichi, il tuo nome. Insieme conserviamo il testo che hai accettato e quando l’hai fatto.",
    testimonial:
      "Quando scrivi una testimonianza con un link che ti abbiamo dato: la tua testimonianza, il tuo nome, il tuo ruolo, il testo che hai accettato e quando l’hai fatto, e il tuo indirizzo e-mail se ti abbiamo mandato lì il link. La mostriamo su questo sito dopo averla letta; con lo stesso link puoi ritirarla in qualsiasi momento.",
    automatic: "Informazioni raccolte automaticamente",
    traces:
      "Con una richiesta e con una modifica alla mailing list salviamo l’ora, il tuo indirizzo IP e il nome con cui si presenta il tuo browser, per distinguere le persone dai robot. L’indirizzo e il browser vengono cancellati dopo {days}.",
    days: { one: "un giorno", other: "{count} giorni" },
    counts:
      "Per fermare ondate di messaggi e tentativi di indovinare le password, il server conta le richieste per indirizzo IP. Questi conteggi stanno solo nella sua memoria di lavoro e finiscono quando si riavvia.",
    nothingElse:
      "Su questo sito non ci sono analisi, pubblicità né tracciamento, e non costruiamo alcun profilo di te.",
  },
  used: {
    title: "Come usiamo le tue informazioni",
    enquiries:
      "Le richieste: per risponderti e, se decidiamo di lavorare insieme, per preparare il tuo coaching.",
    mailingList:
      "La mailing list: per inviarti le novità che hai chiesto, finché non ti cancelli. Puoi farlo in qualsiasi momento sotto NOVITÀ nella home page, e con il link che si trova in ogni newsletter. Un indirizzo che non viene confermato entro 7 giorni dalla nostra richiesta viene cancellato. Di una newsletter sappiamo se il tuo server di posta l’ha accettata e se ti sei cancellato attraverso di essa, mai se l’hai letta: le newsletter non contengono immagini nascoste né link contati.",
    address:
      "Il tuo indirizzo e-mail: per inviarti ciò che hai chiesto inserendolo, come un link per confermarlo, il nostro ringraziamento per una richiesta o la nostra risposta.",
    traces: "Gli indirizzi e i browser: per proteggere il sito dagli abusi.",
    grounds:
      "Lo facciamo perché l’hai chiesto tu (il tuo consenso, o passi precedenti a un contratto) e, per proteggere il sito, perché vi abbiamo un interesse legittimo. Non prendiamo decisioni automatizzate su di te.",
  },
  shared: {
    title: "Condivisione delle informazioni",
    storedHere:
      "Non vendiamo, affittiamo né scambiamo le tue informazioni. Ciò che invii è salvato sul server di questo stesso sito; nessun servizio di moduli o di analisi di un’altra azienda lo raccoglie in queste pagine.",
    storedElsewhere:
      "Non vendiamo, affittiamo né scambiamo le tue informazioni. Ciò che invii è salvato in una banca dati di questo sito su un altro server; nessun servizio di moduli o di analisi di un’altra azienda lo raccoglie in queste pagine.",
    handedOn:
      "Da lì una richiesta può essere passata a un programma che usiamo per risponderti e segnalata ai nostri dispositivi, cifrata in modo che nessuno possa leggerla lungo la strada. Le e-mail che ti inviamo sono trasportate dal fornitore di posta che usiamo, che può vedere il tuo indirizzo e il loro contenuto, e dal tuo.",
    host: "L’azienda che ospita il server può accedervi per motivi tecnici.",
    hosts: "Le aziende che ospitano questi server possono accedervi per motivi tecnici.",
    backups:
      "Le copie di sicurezza, cifrate in modo che lì nessuno possa leggerle, sono conservate in un altro luogo nel caso in cui il server vada perduto.",
    law: "Comunichiamo informazioni quando la legge ci obbliga a farlo.",
    pictures:
      "Le immagini di queste pagine sono caricate da {host}, che riceve il tuo indirizzo IP e i dati del tuo browser quando ci visiti.",
    fonts:
      "I caratteri di queste pagine sono caricati da {host}, che riceve il tuo indirizzo IP e i dati del tuo browser quando ci visiti.",
    videos:
      "I video di queste pagine vengono riprodotti da {host} quando ne avvii uno, e non prima. Da quel momento {host} riceve il tuo indirizzo IP e i dati del tuo browser, e vale la sua informativa sulla privacy.",
  },
  security: {
    title: "Sicurezza dei dati",
    text: "Solo il software di questo sito, chi ne è titolare e le persone a cui il titolare ha dato un account possono leggere i dati salvati, dietro una password conservata come hash. Immagini e testi vengono controllati prima di essere salvati, e le pagine non ammettono script di terzi. Nessun modo di salvare o inviare dati è perfettamente sicuro, ma conserviamo poco, e non più a lungo del necessario.",
  },
  rights: {
    title: "I tuoi diritti",
    lead: "Puoi chiederci in qualsiasi momento di:",
    access: "dirti che cosa abbiamo su di te e dartene una copia in un formato comune;",
    correct: "correggere ciò che è sbagliato;",
    erase:
      "cancellarlo, insieme alle versioni precedenti. Ciò che eliminiamo soltanto è messo da parte per 30 giorni, nel caso sia stato un errore; ciò che ci chiedi di cancellare no;",
    object: "smettere di usarlo, o usarlo meno, e puoi ritirare il consenso che hai dato.",
    complain:
      "Puoi anche rivolgerti all’autorità per la protezione dei dati del paese in cui vivi; in Italia è il Garante per la protezione dei dati personali.",
  },
  cookies: {
    title: "Cookie",
    text: "Chi visita il sito non riceve cookie. Gli unici cookie di questo sito servono per l’accesso del suo titolare e di chi ha un account. Mentre compili una richiesta, il tuo browser conserva le tue risposte per un giorno al massimo, perché non vadano perse se la pagina viene ricaricata; restano nel tuo browser e vengono cancellate appena la richiesta è inviata o chiudi la scheda. Fino ad allora il tuo browser ricorda anche fin dove eri sceso nella pagina. Finché non chiudi la scheda, ricorda che hai visto comparire la prima immagine, perché non accada di nuovo.",
  },
  links: {
    title: "Link ad altri siti",
    text: "Le nostre pagine rimandano ad altri siti, come i social network e la stampa. Si aprono quando segui un link e non prima, e hanno proprie informative sulla privacy, di cui non siamo responsabili. Dove i nostri testi mostrano un’immagine conservata su un altro sito, quel sito riceve il tuo indirizzo IP quando il tuo browser la carica.",
  },
  children: {
    title: "Privacy dei minori",
    text: "Questo sito non è destinato ai minori di 13 anni, e non raccogliamo consapevolmente informazioni da loro. Se pensi che un minore di 13 anni ci abbia scritto, faccelo sapere e le cancelleremo.",
  },
  changes: {
    title: "Modifiche a questa informativa",
    text: "Quando il sito cambia, questa informativa cambia con esso.",
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
