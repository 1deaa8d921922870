/** French labels of fields by their name in the API, and errors, reworded for forms. */

import type * as english from '../../../shell/error-texts.ts'
import type { Translation } from '../../translation.ts'

export const fieldLabels: Translation<typeof english.fieldLabels> = {
  name: 'Nom',
  description: 'Description',
  subject: 'Objet',
  body: 'Corps',
  from: 'Expéditeur',
  fromName: 'Nom de l’expéditeur',
  replyTo: 'Répondre à',
  type: 'Type',
  email: 'E-mail',
  data: 'Données',
  domain: 'Domaine',
  password: 'Mot de passe',
  newPassword: 'Nouveau mot de passe',
  code: 'Code d’authentification',
  segmentId: 'Segment',
  templateId: 'Modèle',
  condition: 'Condition',
  audienceCondition: 'Condition',
  audienceType: 'Audience',
  scheduledFor: 'Date et heure',
  trackMembership: 'Suivi de l’appartenance',
  triggerType: 'Déclencheur',
  triggerConfig: 'Déclencheur',
  eventName: 'Événement',
  allowReentry: 'Autoriser la réentrée',
  language: 'Langue',
  tracking: 'Suivi des ouvertures et des clics',
  role: 'Rôle',
  confirm: 'Nom du projet',
  file: 'Fichier',
  postalAddress: 'Adresse postale',
  logoUrl: 'Logo',
  brandColor: 'Couleur',
  /** A filter of a condition, counted from 1. */
  filter: (group, position, part) => {
    const filter = position === undefined ? `Groupe ${group}` : `Groupe ${group}, filtre ${position}`
    return part ? `${filter}, ${part}` : filter
  },
}

/** The API's errors, reworded for forms. */
export const errorMessages: Translation<typeof english.errorMessages> = {
  invalidFields: 'Certains champs sont à vérifier.',
  pastTime: 'Choisissez une heure dans le futur.',
  noTime: 'Saisissez une date et une heure.',
  noSender: 'Saisissez l’adresse d’envoi.',
  unverifiedDomain:
    'Vous ne pouvez envoyer que depuis un domaine vérifié. Ajoutez et vérifiez celui-ci à la page Domaines.',
  noCondition: 'Ajoutez au moins un filtre.',
  untrackedMembership: 'Ce segment n’a pas de suivi de l’appartenance. Activez d’abord ce suivi.',
  dynamicMembers:
    'Vous ne pouvez pas ajouter de contacts à un segment dynamique. C’est sa condition qui détermine ses contacts.',
  expiredSetup: 'Cette configuration a expiré. Recommencez.',
  gone: 'Cet élément n’existe pas ou a été supprimé.',
  unreachable: 'Posthorn est injoignable. Vérifiez votre connexion.',
  timedOut: 'Posthorn n’a pas répondu à temps. Réessayez.',
  pageNotLoaded: 'Cette page ne peut pas être chargée. Vérifiez votre connexion.',
  serverError: 'Une erreur s’est produite sur le serveur. Réessayez dans un instant.',
  wrongCredentials: 'L’adresse e-mail ou le mot de passe est incorrect.',
  wrongPassword: 'Le mot de passe est incorrect.',
  wrongCode: 'Le code est incorrect ou a déjà été utilisé. Saisissez le plus récent.',
  signedOut: 'Votre session a expiré. Reconnectez-vous.',
  noSignUps:
    'L’inscription est désactivée sur cette installation. Demandez une invitation au propriétaire d’un projet.',
  accountExists: 'Un compte existe déjà avec cette adresse e-mail. Connectez-vous avec celui-ci.',
  usedLink: 'Ce lien a déjà été utilisé ou a expiré.',
  endedInvitation: 'Cette invitation a été acceptée ou révoquée, ou a expiré.',
}
