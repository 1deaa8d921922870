/** The preference pages in French, Spanish, Italian and Portuguese, with words that are common in both Portugal and Brazil. */
import type { PreferenceTexts } from './text-types.ts'

export const fr: PreferenceTexts = {
  unsubscribe: {
    title: 'Se désabonner des e-mails de {project} ?',
    text: '{email} ne recevra plus les newsletters ni les offres de {project}.',
    button: 'Se désabonner',
  },
  unsubscribed: {
    title: 'Désabonnement confirmé',
    text: '{email} ne recevra plus les newsletters ni les offres de {project}.',
    back: 'Se réabonner',
  },
  subscribe: {
    title: 'S’abonner aux e-mails de {project} ?',
    text: '{email} recevra les newsletters et les offres de {project}. Vous pouvez vous désabonner à tout moment.',
    button: 'S’abonner',
  },
  subscribed: {
    title: 'Abonnement actif',
    text: '{email} reçoit les newsletters et les offres de {project}. Vous pouvez vous désabonner à tout moment.',
  },
  manage: {
    title: 'Préférences e-mail',
    question: 'Quels e-mails de {project} souhaitez-vous recevoir à l’adresse {email} ?',
    never: 'Aucun abonnement',
    save: 'Enregistrer',
    saved: 'Vos préférences ont été enregistrées.',
  },
  all: { name: 'Tous les e-mails', description: 'Y compris les newsletters et les offres' },
  necessary: {
    name: 'E-mails essentiels uniquement',
    description: 'Par exemple, les reçus et les réinitialisations de mot de passe',
  },
  gone: {
    title: 'Cette adresse n’est plus enregistrée',
    text: 'Les données associées à ce lien ont été supprimées. Il n’y a donc plus de préférences à modifier.',
  },
  unknown: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il est peut-être incomplet. Rouvrez l’e-mail et cliquez à nouveau sur le lien. S’il ne fonctionne toujours pas, répondez à l’e-mail.',
  },
  emailGone: {
    title: 'Cet e-mail n’est plus disponible',
    text: 'Les e-mails peuvent être consultés dans le navigateur pendant une durée limitée.',
  },
  emailErased: {
    title: 'Cet e-mail a été supprimé',
    text: 'Son contenu a été supprimé avec les données du destinataire.',
  },
}

export const es: PreferenceTexts = {
  unsubscribe: {
    title: '¿Desea cancelar su suscripción a los correos de {project}?',
    text: '{email} dejará de recibir boletines y ofertas de {project}.',
    button: 'Cancelar la suscripción',
  },
  unsubscribed: {
    title: 'Suscripción cancelada',
    text: '{email} ya no recibirá boletines ni ofertas de {project}.',
    back: 'Volver a suscribirse',
  },
  subscribe: {
    title: '¿Desea suscribirse a los correos de {project}?',
    text: '{email} recibirá boletines y ofertas de {project}. Puede cancelar la suscripción en cualquier momento.',
    button: 'Suscribirse',
  },
  subscribed: {
    title: 'Suscripción activa',
    text: '{email} recibe boletines y ofertas de {project}. Puede cancelar la suscripción en cualquier momento.',
  },
  manage: {
    title: 'Preferencias de correo electrónico',
    question: '¿Qué correos de {project} desea recibir en {email}?',
    never: 'Sin suscripción',
    save: 'Guardar',
    saved: 'Sus preferencias se han guardado.',
  },
  all: { name: 'Todos los correos', description: 'Incluidos boletines y ofertas' },
  necessary: { name: 'Solo correos esenciales', description: 'Como recibos y restablecimientos de contraseña' },
  gone: {
    title: 'Esta dirección ya no está registrada',
    text: 'Los datos asociados a este enlace se han eliminado, por lo que no hay preferencias que cambiar.',
  },
  unknown: {
    title: 'Este enlace no funciona',
    text: 'Es posible que esté incompleto. Vuelva a abrir el correo y haga clic en el enlace. Si sigue sin funcionar, responda al correo.',
  },
  emailGone: {
    title: 'Este correo ya no está disponible',
    text: 'Los correos se pueden ver en el navegador durante un tiempo limitado.',
  },
  emailErased: {
    title: 'Este correo se ha eliminado',
    text: 'Su contenido se eliminó junto con los datos de la persona destinataria.',
  },
}

export const it: PreferenceTexts = {
  unsubscribe: {
    title: 'Vuoi annullare l’iscrizione alle e-mail di {project}?',
    text: '{email} non riceverà più newsletter e offerte da {project}.',
    button: 'Annulla l’iscrizione',
  },
  unsubscribed: {
    title: 'Iscrizione annullata',
    text: '{email} non riceverà più newsletter e offerte da {project}.',
    back: 'Iscriviti di nuovo',
  },
  subscribe: {
    title: 'Vuoi iscriverti alle e-mail di {project}?',
    text: '{email} riceverà newsletter e offerte da {project}. Puoi annullare l’iscrizione in qualsiasi momento.',
    button: 'Iscriviti',
  },
  subscribed: {
    title: 'Iscrizione attiva',
    text: '{email} riceve newsletter e offerte da {project}. Puoi annullare l’iscrizione in qualsiasi momento.',
  },
  manage: {
    title: 'Preferenze e-mail',
    question: 'Quali e-mail di {project} vuoi ricevere all’indirizzo {email}?',
    never: 'Nessuna iscrizione',
    save: 'Salva',
    saved: 'Le tue preferenze sono state salvate.',
  },
  all: { name: 'Tutte le e-mail', description: 'Incluse newsletter e offerte' },
  necessary: { name: 'Solo e-mail essenziali', description: 'Come ricevute e reimpostazioni della password' },
  gone: {
    title: 'Questo indirizzo non è più registrato',
    text: 'I dati associati a questo link sono stati eliminati, quindi non ci sono preferenze da modificare.',
  },
  unknown: {
    title: 'Questo link non funziona',
    text: 'Potrebbe essere incompleto. Apri di nuovo l’e-mail e fai clic sul link. Se continua a non funzionare, rispondi all’e-mail.',
  },
  emailGone: {
    title: 'Questa e-mail non è più disponibile',
    text: 'Le e-mail possono essere visualizzate nel browser per un periodo limitato.',
  },
  emailErased: {
    title: 'Questa e-mail è stata eliminata',
    text: 'Il contenuto è stato eliminato insieme ai dati della persona destinataria.',
  },
}

export const pt: PreferenceTexts = {
  unsubscribe: {
    title: 'Deixar de receber e-mails de {project}?',
    text: '{email} deixará de receber newsletters e ofertas de {project}.',
    button: 'Deixar de receber',
  },
  unsubscribed: {
    title: 'Cancelamento confirmado',
    text: '{email} deixará de receber newsletters e ofertas de {project}.',
    back: 'Voltar a receber',
  },
  subscribe: {
    title: 'Receber e-mails de {project}?',
    text: '{email} receberá newsletters e ofertas de {project}. Pode cancelar a qualquer momento.',
    button: 'Receber e-mails',
  },
  subscribed: {
    title: 'E-mails ativados',
    text: '{email} recebe newsletters e ofertas de {project}. Pode cancelar a qualquer momento.',
  },
  manage: {
    title: 'Preferências de e-mail',
    question: 'Quais e-mails de {project} deseja receber em {email}?',
    never: 'E-mails não ativados',
    save: 'Confirmar',
    saved: 'As suas preferências foram atualizadas.',
  },
  all: { name: 'Todos os e-mails', description: 'Incluindo newsletters e ofertas' },
  necessary: { name: 'Apenas e-mails essenciais', description: 'Como recibos e recuperação de conta' },
  gone: {
    title: 'Este endereço foi removido',
    text: 'Os dados associados a este link foram eliminados, por isso não há preferências para alterar.',
  },
  unknown: {
    title: 'Este link não funciona',
    text: 'Pode estar incompleto. Abra o e-mail novamente e clique no link. Se ainda não funcionar, responda ao e-mail.',
  },
  emailGone: {
    title: 'Este e-mail já não está disponível',
    text: 'Os e-mails podem ser vistos no navegador durante um período limitado.',
  },
  emailErased: {
    title: 'Este e-mail foi eliminado',
    text: 'O conteúdo foi eliminado juntamente com os dados da pessoa destinatária.',
  },
}
