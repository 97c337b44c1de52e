/** The privacy policy in Polish. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const pl: Policy = {
  title: "Polityka prywatności",
  updated: "Ostatnia aktualizacja:",
  introduction: {
    title: "Wstęp",
    text: "To jest strona internetowa: {name}. Jej właściciel decyduje, co dzieje się z Twoimi danymi. Każdą stronę możesz przeczytać bez mówienia nam, kim jesteś. Ta polityka mówi, czego dowiadujemy się, gdy odwiedzasz stronę, piszesz do nas lub zapisujesz się na newsletter, do czego tego używamy i o co możesz nas poprosić.",
  },
  collected: {
    title: "Jakie dane zbieramy",
    personal: "Dane osobowe",
    lead: "Przechowujemy tylko to, co wpisujesz i wysyłasz nam z własnej woli:",
    enquiry:
      "Gdy wysyłasz zgłoszenie: Twoje odpowiedzi na pytania formularza, takie jak imię i nazwisko, adres e-mail, numer telefonu, kraj i wiadomość. Jeśli zaproponujemy terminy rozmowy, także to, który wybierzesz albo co napiszesz zamiast tego.",
    mailingList:
      "Gdy zapisujesz się na newsletter: Twój adres e-mail oraz imię, jeśli je podasz. Razem z nimi przechowujemy treść zgody i czas jej udzielenia.",
    testimonial:
      "Gdy piszesz opinię, korzystając z linku od nas: Twoja opinia, imię i nazwisko, Twoja rola, treść zgody i czas jej udzielenia oraz Twój adres e-mail, jeśli wysłaliśmy tam link. Pokazujemy ją na tej stronie, gdy już ją przeczytamy; za pomocą tego samego linku możesz ją w każdej chwili wycofać.",
    automatic: "Dane zbierane automatycznie",
    traces:
      "Przy zgłoszeniu i przy zmianie zapisu na newsletter zapisujemy czas, Twój adres IP i nazwę, którą przedstawia się Twoja przeglądarka, aby odróżnić ludzi od robotów. Adres i przeglądarka są usuwane po {days}.",
    days: {
      one: "jednym dniu",
      few: "{count} dniach",
      many: "{count} dniach",
      other: "{count} dniach",
    },
    counts:
      "Aby powstrzymać zalew wiadomości i odgadywanie haseł, serwer liczy żądania według adresu IP. Te liczby są tylko w jego pamięci operacyjnej i znikają po ponownym uruchomieniu.",
    nothingElse:
      "Na tej stronie nie ma analityki, reklam ani śledzenia i nie tworzymy Twojego profilu.",
  },
  used: {
    title: "Jak wykorzystujemy dane",
    enquiries:
      "Zgłoszenia: aby Ci odpowiedzieć, a jeśli zdecydujemy się na współpracę, przygotować Twój coaching.",
    mailingList:
      "Newsletter: aby wysyłać Ci nowości, o które prosisz, aż do wypisania się. Możesz to zrobić w każdej chwili pod przyciskiem NOWOŚCI na stronie głównej oraz przez link w każdym newsletterze. Adres, który nie zostanie potwierdzony w ciągu 7 dni od naszej prośby, jest usuwany. O newsletterze wiemy tylko, czy przyjął go Twój serwer pocztowy i czy nastąpiło przez niego wypisanie, nigdy to, czy został przeczytany: nie ma w nim ukrytych obrazków ani liczonych linków.",
    address:
      "Twój adres e-mail: aby wysłać Ci to, o co prosisz, podając go, na przykład link do jego potwierdzenia, podziękowanie za zgłoszenie lub naszą odpowiedź.",
    traces: "Adresy i przeglądarki: aby chronić stronę przed nadużyciami.",
    grounds:
      "Robimy to na Twoją prośbę (zgoda lub działania przed zawarciem umowy), a dla ochrony strony dlatego, że mamy w tym prawnie uzasadniony interes. Nie podejmujemy wobec Ciebie zautomatyzowanych decyzji.",
  },
  shared: {
    title: "Komu przekazujemy dane",
    storedHere:
      "Nie sprzedajemy, nie wynajmujemy ani nie wymieniamy Twoich danych. To, co wysyłasz, jest przechowywane na serwerze tej strony; na tych stronach nie zbiera tego formularz ani usługa analityczna żadnej innej firmy.",
    storedElsewhere:
      "Nie sprzedajemy, nie wynajmujemy ani nie wymieniamy Twoich danych. To, co wysyłasz, jest przechowywane w bazie danych tej strony na innym serwerze; na tych stronach nie zbiera tego formularz ani usługa analityczna żadnej innej firmy.",
    handedOn:
      "Stamtąd zgłoszenie może zostać przekazane do programu, w którym na nie odpowiadamy, oraz na nasze własne urządzenia, zaszyfrowane tak, że nikt po drodze nie może go przeczytać. E-maile, które do Ciebie wysyłamy, przekazuje nasz dostawca poczty, który widzi Twój adres i ich treść, oraz Twój dostawca.",
    host: "Firma, która utrzymuje serwer, ma do niego dostęp z przyczyn technicznych.",
    hosts: "Firmy, które utrzymują te serwery, mają do nich dostęp z przyczyn technicznych.",
    backups:
      "Kopie zapasowe, zaszyfrowane tak, że nikt tam nie może ich przeczytać, są przechowywane w innym miejscu na wypadek utraty serwera.",
    law: "Przekazujemy dane, gdy zobowiązuje nas do tego prawo.",
    pictures:
      "Zdjęcia na tych stronach są pobierane z {host}, gdzie podczas odwiedzin widać Twój adres IP i Twoją przeglądarkę.",
    fonts:
      "Czcionki na tych stronach są pobierane z {host}, gdzie podczas odwiedzin widać Twój adres IP i Twoją przeglądarkę.",
    videos:
      "Filmy na tych stronach są odtwarzane z {host} dopiero po naciśnięciu, nie wcześniej. Od tej chwili {host} zna Twój adres IP i Twoją przeglądarkę i obowiązuje polityka prywatności tego serwisu.",
  },
  security: {
    title: "Bezpieczeństwo danych",
    text: "Przechowywane dane może odczytać tylko oprogramowanie tej strony, jej właściciel i osoby, którym właściciel dał konto, po podaniu hasła zapisanego w postaci skrótu. Zdjęcia i teksty są sprawdzane przed zapisaniem, a strony nie dopuszczają obcych skryptów. Żaden sposób przechowywania i przesyłania danych nie jest całkowicie bezpieczny, ale przechowujemy niewiele i nie dłużej, niż to potrzebne.",
  },
  rights: {
    title: "Twoje prawa",
    lead: "W każdej chwili możesz nas poprosić, abyśmy:",
    access: "powiedzieli, co o Tobie przechowujemy, i dali Ci kopię w powszechnym formacie;",
    correct: "poprawili to, co jest błędne;",
    erase:
      "usunęli to wraz z wcześniejszymi wersjami. To, co tylko kasujemy, jest odkładane na 30 dni na wypadek pomyłki; to, co usuwamy na Twoją prośbę, nie jest;",
    object: "przestali tego używać lub używali tego mniej; możesz też wycofać udzieloną zgodę.",
    complain:
      "Możesz również złożyć skargę do organu ochrony danych w kraju, w którym mieszkasz; w Polsce jest to Prezes Urzędu Ochrony Danych Osobowych.",
  },
  cookies: {
    title: "Pliki cookie",
    text: "Osoby odwiedzające nie dostają plików cookie. Jedyne pliki cookie tej strony służą do logowania jej właściciela i osób, które mają konto. Gdy wypełniasz zgłoszenie, przeglądarka przechowuje Twoje odpowiedzi najwyżej przez jeden dzień, aby nie przepadły przy ponownym wczytaniu strony; zostają w Twojej przeglądarce i są usuwane po wysłaniu zgłoszenia lub zamknięciu karty. Do tego czasu przeglądarka pamięta też, jak daleko strona była przewinięta. Do zamknięcia karty pamięta, że wejście pierwszego zdjęcia zostało już pokazane, aby go nie powtarzać.",
  },
  links: {
    title: "Linki do innych stron",
    text: "Nasze strony zawierają linki do innych witryn, na przykład sieci społecznościowych i prasy. Otwierają się dopiero po kliknięciu linku i mają własne polityki prywatności, za które nie odpowiadamy. Tam, gdzie nasze teksty pokazują zdjęcie przechowywane w innej witrynie, witryna ta otrzymuje Twój adres IP, gdy przeglądarka je pobiera.",
  },
  children: {
    title: "Prywatność dzieci",
    text: "Ta strona nie jest przeznaczona dla dzieci poniżej 13 lat i świadomie nie zbieramy ich danych. Jeśli Twoim zdaniem napisało do nas dziecko poniżej 13 lat, daj nam znać, a usuniemy te dane.",
  },
  changes: {
    title: "Zmiany tej polityki",
    text: "Gdy zmienia się strona, zmienia się wraz z nią ta polityka.",
  },
  contact: {
    title: "Kontakt",
    email: "Napisz: {name}, {email}.",
    elsewhere:
      "Napisz ({name}) przez formularz na {coaching} albo przez jeden z profili podanych na {home}.",
    coaching: "stronie coachingu",
    home: "stronie głównej",
  },
};
