/** French names and descriptions of the gallery, by slug. */
import type { GalleryTexts } from '../../../../../pages/templates/gallery/entry-texts.ts'

export const galleryEntry: GalleryTexts = {
  welcome: {
    name: 'Bienvenue',
    description: 'Accueille les nouveaux clients et leur montre les trois premières étapes.',
  },
  'confirm-address': {
    name: 'Confirmer l’adresse',
    description: 'Demande à un nouvel abonné ou client de confirmer son adresse e-mail.',
  },
  'magic-link': {
    name: 'Lien magique',
    description: 'Connecte une personne avec un lien ou un code, sans mot de passe.',
  },
  'password-reset': {
    name: 'Réinitialisation du mot de passe',
    description: 'Permet de choisir un nouveau mot de passe.',
  },
  'security-alert': { name: 'Alerte de sécurité', description: 'Signale une connexion depuis un nouvel appareil.' },
  'team-invitation': { name: 'Invitation dans l’équipe', description: 'Invite une personne à rejoindre une équipe.' },
  newsletter: { name: 'Newsletter', description: 'Un article principal, deux articles courts et une liste de liens.' },
  'product-announcement': {
    name: 'Annonce de produit',
    description: 'Présente un nouveau produit ou une nouvelle fonctionnalité et ses avantages.',
  },
  'event-invitation': {
    name: 'Invitation à un événement',
    description: 'Invite à un événement, avec sa date, son lieu et son programme.',
  },
  survey: { name: 'Enquête', description: 'Pose une question avec trois réponses et renvoie vers une courte enquête.' },
  're-engagement': { name: 'Réactivation', description: 'Demande aux personnes inactives si elles souhaitent rester.' },
  stay: {
    name: 'Voulez-vous rester ?',
    description: 'Le dernier e-mail aux personnes qui n’ouvrent rien, avant de ne plus leur écrire.',
  },
  digest: { name: 'Récapitulatif', description: 'Énumère ce qui s’est passé la semaine dernière.' },
  receipt: { name: 'Reçu', description: 'Confirme une commande avec ses articles et son total.' },
  invoice: { name: 'Facture', description: 'Envoie une facture avec son montant et sa date d’échéance.' },
  shipping: {
    name: 'Confirmation d’expédition',
    description: 'Informe un client que sa commande est expédiée, avec son numéro de suivi.',
  },
  'trial-ending': {
    name: 'Fin de l’essai',
    description: 'Rappelle à un client que son essai se termine et lui propose une offre.',
  },
}
