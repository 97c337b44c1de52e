/** The privacy policy in Polish. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const pl: Policy = {
  title: "Polityka prywatności",
  updated: "Ostatnia aktualizacja:",
  introduction: {
    title: "Wstęp",
    text: "Tę stronę prowadzi {name} i decyduje o tym, co dzieje się z Twoimi danymi. Każdą podstronę możesz przeczytać, nie ujawniając, kim jesteś. Ta polityka wyjaśnia, co zbieramy, gdy odwiedzasz stronę, piszesz do nas lub zapisujesz się na newsletter, jak tego używamy i jakie masz prawa.",
  },
  collected: {
    title: "Jakie dane zbieramy",
    personal: "Dane osobowe",
    lead: "Przechowujemy tylko to, co samodzielnie wpisujesz i nam wysyłasz:",
    enquiry:
      "Gdy wysyłasz zgłoszenie: Twoje odpowiedzi na pytania formularza, takie jak imię i nazwisko, adres e-mail, numer telefonu, kraj i wiadomość. Jeśli zaproponujemy terminy rozmowy, także wybrany termin albo to, co napiszesz zamiast tego.",
    mailingList:
      "Gdy zapisujesz się na newsletter: Twój adres e-mail oraz imię, jeśli je podasz. Przechowujemy też treść udzielonej zgody i jej datę.",
    testimonial:
      "Gdy piszesz opinię, korzystając z linku od nas: Twoja opinia, imię i nazwisko, Twoja rola, treść udzielonej zgody i jej data oraz Twój adres e-mail, jeśli wysłaliśmy tam link. Po przeczytaniu pokazujemy opinię na tej stronie. Za pomocą tego samego linku możesz ją w każdej chwili wycofać.",
    automatic: "Dane zbierane automatycznie",
    traces:
      "Gdy wysyłasz zgłoszenie, zapisujesz się na newsletter lub z niego rezygnujesz, przechowujemy datę i godzinę, Twój adres IP i nazwę przeglądarki, aby odróżnić ludzi od robotów. Adres IP i nazwa przeglądarki są usuwane po {days}.",
    days: {
      one: "jednym dniu",
      few: "{count} dniach",
      many: "{count} dniach",
      other: "{count} dniach",
    },
    counts:
      "Aby powstrzymać zalew wiadomości i odgadywanie haseł, serwer liczy żądania według adresu IP. Liczniki są przechowywane tylko w pamięci i znikają po ponownym uruchomieniu serwera.",
    nothingElse:
      "Na tej stronie nie ma analityki, reklam ani śledzenia i nie tworzymy Twojego profilu.",
  },
  used: {
    title: "Jak wykorzystujemy dane",
    enquiries:
      "Zgłoszenia: aby Ci odpowiedzieć, a jeśli zdecydujemy się na współpracę, przygotować Twój coaching.",
    mailingList:
      "Newsletter: aby wysyłać Ci nowości, o które prosisz, aż do wypisania się. Możesz to zrobić w każdej chwili, klikając NOWOŚCI na stronie głównej lub link w dowolnym newsletterze. Adresy niepotwierdzone w ciągu 7 dni są usuwane. W przypadku każdego newslettera wiemy, czy Twój serwer pocztowy go przyjął i czy rezygnacja nastąpiła za pomocą zawartego w nim linku. Nigdy nie śledzimy, czy go czytasz ani czy klikasz w linki.",
    address:
      "Twój adres e-mail: aby wysłać Ci to, o co prosisz, na przykład link potwierdzający, podziękowanie za zgłoszenie lub naszą odpowiedź.",
    traces: "Adresy IP i nazwy przeglądarek: aby chronić stronę przed nadużyciami.",
    grounds:
      "Robimy to na Twoją prośbę (zgoda lub działania przed zawarciem umowy), a ochrona strony opiera się na naszym prawnie uzasadnionym interesie. Nie podejmujemy wobec Ciebie zautomatyzowanych decyzji.",
  },
  shared: {
    title: "Komu przekazujemy dane",
    storedHere:
      "Nie sprzedajemy, nie wynajmujemy ani nie wymieniamy Twoich danych. To, co wysyłasz, jest przechowywane na serwerze tej strony; na tych stronach danych nie zbiera żaden formularz ani usługa analityczna innej firmy.",
    storedElsewhere:
      "Nie sprzedajemy, nie wynajmujemy ani nie wymieniamy Twoich danych. To, co wysyłasz, jest przechowywane w bazie danych tej strony na innym serwerze; na tych stronach danych nie zbiera żaden formularz ani usługa analityczna innej firmy.",
    handedOn:
      "Zgłoszenie może zostać przekazane do programu, w którym na nie odpowiadamy, oraz wysłane jako zaszyfrowane powiadomienie na nasze własne urządzenia. E-maile, które do Ciebie wysyłamy, przechodzą przez naszego i Twojego dostawcę poczty, którzy widzą Twój adres i treść wiadomości.",
    host: "Firma, która utrzymuje serwer, ma do niego dostęp z przyczyn technicznych.",
    hosts: "Firmy, które utrzymują te serwery, mają do nich dostęp z przyczyn technicznych.",
    backups:
      "Zaszyfrowane kopie zapasowe są przechowywane w innym miejscu na wypadek awarii serwera.",
    law: "Przekazujemy dane, gdy zobowiązuje nas do tego prawo.",
    pictures:
      "Zdjęcia na tych stronach są pobierane z {host}. Podczas Twoich odwiedzin serwer ten otrzymuje Twój adres IP i dane przeglądarki.",
    fonts:
      "Czcionki na tych stronach są pobierane z {host}. Podczas Twoich odwiedzin serwer ten otrzymuje Twój adres IP i dane przeglądarki.",
    videos:
      "Filmy na tych stronach są pobierane z {host} dopiero po uruchomieniu któregoś z nich. Serwis, z którego pochodzi film, otrzymuje wtedy Twój adres IP i dane przeglądarki oraz obowiązuje jego polityka prywatności.",
  },
  security: {
    title: "Bezpieczeństwo danych",
    text: "Dostęp do przechowywanych danych mają tylko oprogramowanie tej strony, jej właściciel i osoby, które mają konto. Hasła są zapisane w postaci skrótów kryptograficznych. Zdjęcia i teksty są sprawdzane przed zapisaniem, a strony nie dopuszczają obcych skryptów. Żaden sposób przechowywania i przesyłania danych nie jest całkowicie bezpieczny, ale przechowujemy niewiele i nie dłużej, niż to potrzebne.",
  },
  rights: {
    title: "Twoje prawa",
    lead: "W każdej chwili możesz nas poprosić o:",
    access:
      "informację, jakie dane o Tobie przechowujemy, i ich kopię w powszechnie używanym formacie;",
    correct: "poprawienie błędnych danych;",
    erase:
      "usunięcie danych wraz z wcześniejszymi wersjami. Dane, które usuwamy z własnej inicjatywy, można przywrócić przez 30 dni; danych usuniętych na Twoją prośbę przywrócić nie można;",
    object:
      "zaprzestanie lub ograniczenie wykorzystywania danych; możesz też wycofać udzieloną zgodę.",
    complain:
      "Możesz również złożyć skargę do organu ochrony danych w kraju, w którym mieszkasz; w Polsce jest to Prezes Urzędu Ochrony Danych Osobowych.",
  },
  cookies: {
    title: "Pliki cookie",
    text: "Osoby odwiedzające stronę nie otrzymują żadnych plików cookie. Jedyne pliki cookie tej strony służą do logowania jej właściciela i osób, które mają konto. Gdy wypełniasz zgłoszenie, przeglądarka przechowuje Twoje odpowiedzi najwyżej przez jeden dzień, aby nie przepadły przy ponownym wczytaniu strony; zostają w Twojej przeglądarce i są usuwane po wysłaniu zgłoszenia lub zamknięciu karty. Do tego czasu przeglądarka pamięta też, jak daleko strona była przewinięta. Do zamknięcia karty pamięta również, że animacja początkowa została już odtworzona, aby jej nie powtarzać.",
  },
  links: {
    title: "Linki do innych stron",
    text: "Nasze strony zawierają linki do innych witryn, na przykład serwisów społecznościowych i prasy. Mają one własne polityki prywatności, za które nie odpowiadamy. Jeśli nasze teksty pokazują zdjęcie z innej witryny, witryna ta otrzymuje Twój adres IP, gdy przeglądarka je pobiera.",
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
    email: "Napisz na adres {email} ({name}).",
    elsewhere:
      "Napisz przez formularz na {coaching} albo przez jeden z profili, do których {name} podaje linki na {home}.",
    coaching: "stronie coachingu",
    home: "stronie głównej",
  },
};
