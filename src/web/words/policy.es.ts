/** The privacy policy in Spanish. Have a lawyer read it. */
import type { Policy } from "./policy.en.ts";

export const es: Policy = {
  title: "Política de privacidad",
  updated: "Última actualización:",
  introduction: {
    title: "Introducción",
    text: "Este es el sitio web de {name}, que decide qué se hace con tus datos. Puedes leer todas las páginas sin decirnos quién eres. Esta política explica qué datos recogemos cuando visitas el sitio, nos escribes o te suscribes al boletín, cómo los usamos y qué derechos tienes.",
  },
  collected: {
    title: "Qué información recogemos",
    personal: "Información personal",
    lead: "Solo guardamos lo que tú escribes y nos envías:",
    enquiry:
      "Cuando envías una consulta: tus respuestas a las preguntas del formulario, como tu nombre, tu correo electrónico, tu número de teléfono, tu país y tu mensaje. Si te proponemos horas para una llamada, también cuál eliges, o lo que escribes en su lugar.",
    mailingList:
      "Cuando te suscribes al boletín: tu dirección de correo y, si nos lo das, tu nombre. También guardamos el texto de consentimiento que aceptaste y la fecha.",
    testimonial:
      "Cuando escribes un testimonio con un enlace nuestro: tu testimonio, tu nombre, a qué te dedicas o de qué nos conoces, el texto de consentimiento que aceptaste y la fecha, y tu dirección de correo si te enviamos el enlace allí. Lo mostramos en este sitio web después de leerlo. Puedes retirarlo en cualquier momento con el mismo enlace.",
    automatic: "Información recogida automáticamente",
    traces:
      "Cuando envías una consulta o cambias tu suscripción, guardamos la fecha y la hora, tu dirección IP y el nombre de tu navegador para distinguir a las personas de los robots. La dirección IP y el nombre del navegador se borran al cabo de {days}.",
    days: { one: "un día", other: "{count} días" },
    counts:
      "Para frenar avalanchas de mensajes e intentos de adivinar contraseñas, el servidor cuenta las peticiones por dirección IP. Estos recuentos solo están en la memoria y se pierden cuando el servidor se reinicia.",
    nothingElse:
      "En este sitio web no hay analítica, ni publicidad, ni rastreo, y no elaboramos ningún perfil tuyo.",
  },
  used: {
    title: "Cómo usamos tu información",
    enquiries:
      "Las consultas: para responderte y, si acordamos trabajar juntos, para preparar tu coaching.",
    mailingList:
      "El boletín: para enviarte las novedades que pediste, hasta que te des de baja. Puedes hacerlo en cualquier momento en NOVEDADES, en la página de inicio, y con el enlace de cada boletín. Las direcciones que no se confirman en 7 días se borran. De cada boletín sabemos si tu servidor de correo lo aceptó y si te diste de baja desde él. Nunca registramos si lo lees ni si pulsas sus enlaces.",
    address:
      "Tu dirección de correo: para enviarte lo que pediste, como un enlace de confirmación, un agradecimiento por tu consulta o nuestra respuesta.",
    traces:
      "Las direcciones IP y los nombres de los navegadores: para proteger el sitio web de usos indebidos.",
    grounds:
      "Lo hacemos porque tú lo pediste (tu consentimiento, o medidas previas a un contrato) y, en cuanto a la protección del sitio web, porque tenemos en ello un interés legítimo. No tomamos decisiones automatizadas sobre ti.",
  },
  shared: {
    title: "Con quién se comparte la información",
    storedHere:
      "No vendemos, alquilamos ni intercambiamos tu información. Lo que envías se guarda en el propio servidor de este sitio web; ningún servicio de formularios o de analítica de otra empresa lo recoge en estas páginas.",
    storedElsewhere:
      "No vendemos, alquilamos ni intercambiamos tu información. Lo que envías se guarda en una base de datos de este sitio web en otro servidor; ningún servicio de formularios o de analítica de otra empresa lo recoge en estas páginas.",
    handedOn:
      "Una consulta puede reenviarse a un programa que usamos para responderla y enviarse como notificación cifrada a nuestros propios dispositivos. Los correos que te enviamos pasan por nuestro proveedor de correo y por el tuyo, que pueden ver tu dirección y el contenido.",
    host: "La empresa que aloja el servidor puede acceder a los datos por motivos técnicos.",
    hosts:
      "Las empresas que alojan estos servidores pueden acceder a los datos por motivos técnicos.",
    backups: "Guardamos copias de seguridad cifradas en otro lugar por si falla el servidor.",
    law: "Entregamos información cuando la ley nos obliga.",
    pictures:
      "Las imágenes de estas páginas se cargan desde {host}, que recibe tu dirección IP y datos de tu navegador cuando nos visitas.",
    fonts:
      "Las fuentes de estas páginas se cargan desde {host}, que recibe tu dirección IP y datos de tu navegador cuando nos visitas.",
    videos:
      "Los vídeos de estas páginas se cargan desde {host} solo cuando inicias uno. Entonces se envían a {host} tu dirección IP y datos de tu navegador, y se aplica la política de privacidad de ese servicio.",
  },
  security: {
    title: "Seguridad de los datos",
    text: "Solo el software de este sitio web, su titular y las personas que tienen una cuenta pueden acceder a los datos guardados. Las contraseñas se guardan como hash. Las imágenes y los textos se comprueban antes de guardarse, y las páginas no permiten scripts de terceros. Ninguna forma de guardar o enviar datos es perfectamente segura, pero guardamos poco, y no más tiempo del necesario.",
  },
  rights: {
    title: "Tus derechos",
    lead: "Puedes pedirnos en cualquier momento que:",
    access: "te digamos qué datos tenemos sobre ti y te demos una copia en un formato habitual;",
    correct: "corrijamos los que sean incorrectos;",
    erase:
      "los borremos, junto con sus versiones anteriores. Lo que eliminamos por nuestra cuenta se puede recuperar durante 30 días; lo que nos pides borrar, no;",
    object:
      "dejemos de usarlos, o los usemos menos; también puedes retirar el consentimiento que hayas dado.",
    complain:
      "También puedes reclamar ante la autoridad de protección de datos del país en el que vives; en España es la Agencia Española de Protección de Datos.",
  },
  cookies: {
    title: "Cookies",
    text: "Quienes visitan el sitio no reciben cookies. Las únicas cookies de este sitio web son las del inicio de sesión de su titular y de quienes tienen una cuenta. Mientras rellenas una consulta, tu navegador guarda tus respuestas durante un día como máximo, para que no se pierdan si la página se vuelve a cargar; se quedan en tu navegador y se borran en cuanto se envía la consulta o cierras la pestaña. Hasta entonces, tu navegador recuerda también hasta dónde habías bajado en la página. Hasta que cierres la pestaña, recuerda además que ya se ha mostrado la animación de entrada, para no repetirla.",
  },
  links: {
    title: "Enlaces a otros sitios",
    text: "Nuestras páginas enlazan con otros sitios web, como redes sociales y prensa. Tienen sus propias políticas de privacidad, de las que no somos responsables. Si nuestros textos muestran una imagen de otro sitio web, ese sitio recibe tu dirección IP cuando tu navegador la carga.",
  },
  children: {
    title: "Privacidad de los menores",
    text: "Este sitio web no está pensado para menores de 13 años, y no recogemos a sabiendas información sobre ellos. Si crees que un menor de 13 años nos ha escrito, avísanos y la borraremos.",
  },
  changes: {
    title: "Cambios en esta política",
    text: "Cuando el sitio web cambia, esta política cambia con él.",
  },
  contact: {
    title: "Contacto",
    email: "Escribe a {name} a la dirección {email}.",
    elsewhere:
      "Escribe a {name} con el formulario de consulta de la {coaching}, o a través de uno de los perfiles enlazados en la {home}.",
    coaching: "página de coaching",
    home: "página de inicio",
  },
};
