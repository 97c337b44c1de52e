/** The privacy policy in Spanish. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const es: Policy = {
  title: "Política de privacidad",
  updated: "Última actualización:",
  introduction: {
    title: "Introducción",
    text: "Este es el sitio web de {name}, que decide qué se hace aquí con tus datos. Puedes leer todas las páginas sin decirnos quién eres. Esta política explica qué llegamos a saber cuando nos visitas, nos escribes o te unes a la lista de correo, para qué lo usamos y qué puedes pedirnos.",
  },
  collected: {
    title: "Qué información recogemos",
    personal: "Información personal",
    lead: "Solo tenemos lo que tú escribes y nos envías:",
    enquiry:
      "Cuando envías una consulta: tus respuestas a las preguntas del formulario, como tu nombre, tu correo electrónico, tu número de teléfono, tu país y tu mensaje. Si te proponemos horas para una llamada, también cuál eliges, o lo que escribes en su lugar.",
    mailingList:
      "Cuando te unes a la lista de correo: tu dirección de correo y, si lo das, tu nombre. Junto a ellos guardamos el texto que aceptaste y cuándo lo hiciste.",
    testimonial:
      "Cuando escribes un testimonio con un enlace que te hemos dado: tu testimonio, tu nombre, tu función, el texto que aceptaste y cuándo lo hiciste, y tu dirección de correo si te enviamos allí el enlace. Lo mostramos en este sitio web después de leerlo; con el mismo enlace puedes retirarlo en cualquier momento.",
    automatic: "Información recogida automáticamente",
    traces:
      "Con una consulta y con un cambio en la lista de correo guardamos la hora, tu dirección IP y el nombre con el que se identifica tu navegador, para poder distinguir a las personas de los robots. La dirección y el navegador se borran al cabo de {days}.",
    days: { one: "un día", other: "{count} días" },
    counts:
      "Para frenar avalanchas de mensajes e intentos de adivinar contraseñas, el servidor cuenta las peticiones por dirección IP. Estas cuentas están solo en su memoria de trabajo y desaparecen cuando se reinicia.",
    nothingElse:
      "En este sitio web no hay analítica, ni publicidad, ni rastreo, y no elaboramos ningún perfil tuyo.",
  },
  used: {
    title: "Cómo usamos tu información",
    enquiries:
      "Las consultas: para responderte y, si acordamos trabajar juntos, para preparar tu coaching.",
    mailingList:
      "La lista de correo: para enviarte las novedades que pediste, hasta que te des de baja. Puedes hacerlo en cualquier momento en NOVEDADES, en la página de inicio, y con el enlace que hay en cada boletín. Una dirección que no se haya confirmado en los 7 días siguientes a nuestra petición se borra. De un boletín sabemos si tu servidor de correo lo aceptó y si te diste de baja con él, nunca si lo leíste: los boletines no llevan imágenes ocultas ni enlaces contados.",
    address:
      "Tu dirección de correo: para enviarte lo que pediste al escribirla, como un enlace para confirmarla, nuestro agradecimiento por una consulta o nuestra respuesta.",
    traces: "Las direcciones y los navegadores: para proteger el sitio web del mal uso.",
    grounds:
      "Lo hacemos porque tú lo pediste (tu consentimiento, o pasos previos a un contrato) y, para proteger el sitio web, porque tenemos en ello un interés legítimo. No tomamos decisiones automatizadas sobre ti.",
  },
  shared: {
    title: "Con quién se comparte la información",
    storedHere:
      "No vendemos, alquilamos ni intercambiamos tu información. Lo que envías se guarda en el propio servidor de este sitio web; ningún servicio de formularios o de analítica de otra empresa lo recoge en estas páginas.",
    storedElsewhere:
      "No vendemos, alquilamos ni intercambiamos tu información. Lo que envías se guarda en una base de datos de este sitio web en otro servidor; ningún servicio de formularios o de analítica de otra empresa lo recoge en estas páginas.",
    handedOn:
      "Desde allí, una consulta puede pasarse a un programa que usamos para responderla y anunciarse en nuestros propios dispositivos, cifrada para que nadie pueda leerla por el camino. Los correos que te enviamos los transporta el proveedor de correo que usamos, que puede ver tu dirección y su contenido, y también el tuyo.",
    host: "La empresa que aloja el servidor puede acceder a los datos por motivos técnicos.",
    hosts:
      "Las empresas que alojan estos servidores pueden acceder a los datos por motivos técnicos.",
    backups:
      "Las copias de seguridad, cifradas para que nadie pueda leerlas allí, se guardan en otro lugar por si se perdiera el servidor.",
    law: "Entregamos información cuando la ley nos obliga.",
    pictures:
      "Las imágenes de estas páginas se cargan desde {host}, que recibe tu dirección IP y datos de tu navegador cuando nos visitas.",
    fonts:
      "Las fuentes de estas páginas se cargan desde {host}, que recibe tu dirección IP y datos de tu navegador cuando nos visitas.",
    videos:
      "Los vídeos de estas páginas se reproducen desde {host} cuando pulsas uno, y no antes. A partir de ese momento {host} recibe tu dirección IP y datos de tu navegador, y vale su propia política de privacidad.",
  },
  security: {
    title: "Seguridad de los datos",
    text: "Solo el software de este sitio web, su titular y aquellos a quienes el titular ha dado una cuenta pueden leer los datos guardados, tras una contraseña que se guarda como hash. Las imágenes y los textos se comprueban antes de guardarse, y las páginas no permiten scripts de terceros. Ninguna forma de guardar o enviar datos es perfectamente segura, pero guardamos poco, y no más tiempo del necesario.",
  },
  rights: {
    title: "Tus derechos",
    lead: "Puedes pedirnos en cualquier momento que:",
    access: "te digamos qué tenemos sobre ti y te demos una copia en un formato habitual;",
    correct: "corrijamos lo que esté mal;",
    erase:
      "lo borremos, junto con sus versiones anteriores. Lo que solo eliminamos se aparta durante 30 días, por si fue un error; lo que nos pides borrar, no;",
    object:
      "dejemos de usarlo, o lo usemos menos; también puedes retirar el consentimiento que hayas dado.",
    complain:
      "También puedes reclamar ante la autoridad de protección de datos del país en el que vives; en España es la Agencia Española de Protección de Datos.",
  },
  cookies: {
    title: "Cookies",
    text: "Quienes visitan el sitio no reciben cookies. Las únicas cookies de este sitio web son para que inicien sesión su titular y quienes tienen una cuenta. Mientras rellenas una consulta, tu navegador guarda tus respuestas durante un día como máximo, para que no se pierdan si la página se vuelve a cargar; se quedan en tu navegador y se borran en cuanto se envía la consulta o cierras la pestaña. Hasta entonces, tu navegador recuerda también hasta dónde habías bajado en la página. Hasta que cierres la pestaña, recuerda que ya has visto cómo aparece la primera imagen, para que no lo haga otra vez.",
  },
  links: {
    title: "Enlaces a otros sitios",
    text: "Nuestras páginas enlazan con otros sitios web, como redes sociales y prensa. Se abren cuando sigues un enlace y no antes, y tienen sus propias políticas de privacidad, de las que no somos responsables. Donde nuestros textos muestran una imagen guardada en otro sitio web, ese sitio recibe tu dirección IP cuando tu navegador la carga.",
  },
  children: {
    title: "Privacidad de los menores",
    text: "Este sitio web no está pensado para menores de 13 años, y no recogemos a sabiendas información de ellos. Si crees que un menor de 13 años nos ha escrito, dínoslo y lo borraremos.",
  },
  changes: {
    title: "Cambios en esta política",
    text: "Cuando el sitio web cambia, esta política cambia con él.",
  },
  contact: {
    title: "Contacto",
    email: "Escribe a {name} a {email}.",
    elsewhere:
      "Escribe a {name} con el formulario de consulta de la {coaching}, o a través de uno de los perfiles enlazados en la {home}.",
    coaching: "página de coaching",
    home: "página de inicio",
  },
};
