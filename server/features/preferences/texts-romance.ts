/** The preference pages in French, Spanish, Italian and Portuguese. */
import type { PreferenceTexts } from './text-types.ts'

export const fr: PreferenceTexts = {
  unsubscribe: {
    title: 'Se désabonner de {project} ?',
    text: '{email} ne recevra plus les lettres d’information et les offres de {project}.',
    button: 'Se désabonner',
  },
  unsubscribed: {
    title: 'Désabonnement enregistré',
    text: '{email} ne reçoit plus les lettres d’information et les offres de {project}.',
    back: 'Se réabonner',
  },
  subscribe: {
    title: 'S’abonner à {project} ?',
    text: '{email} recevra les lettres d’information et les offres de {project}. Le désabonnement est possible à tout moment.',
    button: 'S’abonner',
  },
  subscribed: {
    title: 'Abonnement actif',
    text: '{email} reçoit les lettres d’information et les offres de {project}. Le désabonnement est possible à tout moment.',
  },
  manage: {
    title: 'Préférences d’e-mail',
    question: 'Quels e-mails de {project} envoyer à {email} ?',
    never: 'Aucun abonnement',
    save: 'Enregistrer',
    saved: 'Votre choix est enregistré.',
  },
  all: { name: 'Tous les e-mails', description: 'Lettres d’information et offres comprises' },
  necessary: {
    name: 'Seulement les e-mails nécessaires',
    description: 'Par exemple les factures et les nouveaux mots de passe',
  },
  gone: {
    title: 'Cette adresse n’est plus enregistrée',
    text: 'Les données liées à ce lien ont été supprimées. Il n’y a plus rien à modifier ici.',
  },
  unknown: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il est peut-être incomplet. Rouvrez l’e-mail et suivez le lien à partir de là.',
  },
}

export const es: PreferenceTexts = {
  unsubscribe: {
    title: '¿Cancelar la suscripción a {project}?',
    text: '{email} dejará de recibir boletines y ofertas de {project}.',
    button: 'Cancelar la suscripción',
  },
  unsubscribed: {
    title: 'Suscripción cancelada',
    text: '{email} ya no recibe boletines ni ofertas de {project}.',
    back: 'Volver a suscribirse',
  },
  subscribe: {
    title: '¿Suscribirse a {project}?',
    text: '{email} recibirá boletines y ofertas de {project}. La suscripción se puede cancelar en cualquier momento.',
    button: 'Suscribirse',
  },
  subscribed: {
    title: 'Suscripción activa',
    text: '{email} recibe boletines y ofertas de {project}. La suscripción se puede cancelar en cualquier momento.',
  },
  manage: {
    title: 'Preferencias de correo',
    question: '¿Qué correos de {project} debe recibir {email}?',
    never: 'Sin suscripción',
    save: 'Guardar',
    saved: 'Los cambios se han guardado.',
  },
  all: { name: 'Todos los correos', description: 'También boletines y ofertas' },
  necessary: { name: 'Solo los correos necesarios', description: 'Como recibos y cambios de contraseña' },
  gone: {
    title: 'Esta dirección ya no está guardada',
    text: 'Los datos de este enlace se han eliminado. Ya no hay nada que cambiar aquí.',
  },
  unknown: {
    title: 'Este enlace no funciona',
    text: 'Puede que esté incompleto. Abra el correo otra vez y siga el enlace desde allí.',
  },
}

export const it: PreferenceTexts = {
  unsubscribe: {
    title: 'Annullare l’iscrizione a {project}?',
    text: '{email} non riceverà più newsletter e offerte da {project}.',
    button: 'Annulla l’iscrizione',
  },
  unsubscribed: {
    title: 'Iscrizione annullata',
    text: '{email} non riceve più newsletter e offerte da {project}.',
    back: 'Iscriviti di nuovo',
  },
  subscribe: {
    title: 'Iscriversi a {project}?',
    text: '{email} riceverà newsletter e offerte da {project}. L’iscrizione si può annullare in ogni momento.',
    button: 'Iscriviti',
  },
  subscribed: {
    title: 'Iscrizione attiva',
    text: '{email} riceve newsletter e offerte da {project}. L’iscrizione si può annullare in ogni momento.',
  },
  manage: {
    title: 'Preferenze e-mail',
    question: 'Quali e-mail di {project} deve ricevere {email}?',
    never: 'Nessuna iscrizione',
    save: 'Salva',
    saved: 'La scelta è stata salvata.',
  },
  all: { name: 'Tutte le e-mail', description: 'Anche newsletter e offerte' },
  necessary: { name: 'Solo le e-mail necessarie', description: 'Come ricevute e nuove password' },
  gone: {
    title: 'Questo indirizzo non è più registrato',
    text: 'I dati di questo link sono stati eliminati. Qui non c’è più nulla da modificare.',
  },
  unknown: {
    title: 'Questo link non funziona',
    text: 'Forse è incompleto. Apri di nuovo l’e-mail e segui il link da lì.',
  },
}

export const pt: PreferenceTexts = {
  unsubscribe: {
    title: 'Cancelar a subscrição de {project}?',
    text: '{email} deixará de receber boletins e ofertas de {project}.',
    button: 'Cancelar a subscrição',
  },
  unsubscribed: {
    title: 'Subscrição cancelada',
    text: '{email} já não recebe boletins e ofertas de {project}.',
    back: 'Subscrever novamente',
  },
  subscribe: {
    title: 'Subscrever {project}?',
    text: '{email} receberá boletins e ofertas de {project}. A subscrição pode ser cancelada a qualquer momento.',
    button: 'Subscrever',
  },
  subscribed: {
    title: 'Subscrição ativa',
    text: '{email} recebe boletins e ofertas de {project}. A subscrição pode ser cancelada a qualquer momento.',
  },
  manage: {
    title: 'Preferências de e-mail',
    question: 'Que e-mails de {project} deve {email} receber?',
    never: 'Sem subscrição',
    save: 'Guardar',
    saved: 'A escolha foi guardada.',
  },
  all: { name: 'Todos os e-mails', description: 'Incluindo boletins e ofertas' },
  necessary: { name: 'Apenas os e-mails essenciais', description: 'Como recibos e novas palavras-passe' },
  gone: {
    title: 'Este endereço já não está guardado',
    text: 'Os dados deste link foram apagados. Já não há nada para alterar aqui.',
  },
  unknown: {
    title: 'Este link não funciona',
    text: 'Pode estar incompleto. Abra o e-mail outra vez e siga o link a partir daí.',
  },
}
