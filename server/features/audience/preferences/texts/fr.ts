/** The pages for recipients in French. */
import type { PageTexts } from './types.ts'

export const fr: PageTexts = {
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
  topic: {
    unsubscribe: { title: 'Se désabonner de « {topic} » ?', text: '{email} ne recevra plus « {topic} » de {project}.' },
    unsubscribed: {
      title: 'Désabonnement de « {topic} » confirmé',
      text: '{email} ne recevra plus « {topic} » de {project}.',
    },
    subscribe: {
      title: 'S’abonner à « {topic} » ?',
      text: '{email} recevra « {topic} » de {project}. Vous pouvez vous désabonner à tout moment.',
    },
    subscribed: {
      title: 'Abonnement à « {topic} » confirmé',
      text: '{email} reçoit « {topic} » de {project}. Vous pouvez vous désabonner à tout moment.',
    },
    everything: 'Se désabonner de tout',
    topics: 'Thèmes',
    pause: {
      title: 'Faire une pause',
      text: 'Votre abonnement est conservé, mais vous ne recevrez ni newsletter ni offre avant la fin de la pause.',
      button: 'Suspendre pendant {days} jours',
      paused: 'Suspendu jusqu’au {date}',
      resume: 'Reprendre maintenant',
    },
  },
  settings: {
    title: 'Langue et fuseau horaire',
    language: 'Langue',
    timezone: 'Fuseau horaire',
    unset: 'Non précisé',
    download: {
      title: 'Vos données',
      text: 'Téléchargez dans un fichier ce que {project} conserve sur {email}.',
      button: 'Télécharger les données',
    },
  },
}
