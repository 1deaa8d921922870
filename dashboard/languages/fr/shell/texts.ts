/** French texts that several pages share: navigation, dialogs, lists, errors and the condition editor. */

import { formatCount, formatNumber, formatPercent } from '../../../figures/format.ts'
import type * as english from '../../../shell/texts.ts'
import type { Translation } from '../../translation.ts'

export const shared: Translation<typeof english.sharedTexts> = {
  productName: 'Posthorn',
  pageTitle: (title) => `${title} · Posthorn`,
  cancel: 'Annuler',
  close: 'Fermer',
  copy: 'Copier',
  copied: 'Copié',
  dismiss: 'Masquer',
  undo: 'Annuler',
  delete: 'Supprimer',
  duplicate: 'Dupliquer',
  remove: 'Retirer',
  loading: 'Chargement',
  retry: 'Réessayer',
  saved: 'Enregistré',
  notLoaded: (what) => `Chargement impossible : ${what}`,
  checkFields: 'Vérifiez les champs signalés.',
  actions: 'Actions',
  moreActions: 'Autres actions',
  missing: '–',
  quoted: (text) => `« ${text} »`,
  labeled: (label, text) => `${label} : ${text}`,
  noSubject: '(sans objet)',
  clearSearch: 'Effacer la recherche et les filtres',
  requestId: (id) => `ID de la requête : ${id}`,
  typeToConfirm: (text) => `Saisissez « ${text} » pour confirmer`,
  subscribed: 'Abonné',
  notSubscribed: 'Non abonné',
  secretKey: 'Clé secrète',
  publicKey: 'Clé publique',
  contacts: (count) => formatCount(count, { one: 'contact', other: 'contacts' }),
}

export const change: Translation<typeof english.changeTexts> = {
  none: 'Inchangé',
  up: 'Hausse',
  down: 'Baisse',
  percent: (ratio) => formatPercent(ratio),
  points: (difference) => formatCount(Math.round(difference * 1000) / 10, { one: 'point', other: 'points' }),
  since: (days) => `Par rapport aux ${formatNumber(days)} jours précédents.`,
}

/** What email counts and rates mean, and what the rates are shares of. */
export const count: Translation<typeof english.countTexts> = {
  sent: 'E-mails acceptés par le serveur de messagerie.',
  delivered: 'E-mails livrés et sans rebond par la suite, en proportion des e-mails envoyés ou refusés.',
  opened:
    'E-mails qu’une personne a ouverts ou dans lesquels elle a cliqué, en proportion des e-mails livrés. Si le serveur de messagerie ne signale pas les livraisons : des e-mails sans rebond.',
  clicked:
    'E-mails dans lesquels une personne a cliqué sur un lien, en proportion des e-mails livrés. Si le serveur de messagerie ne signale pas les livraisons : des e-mails sans rebond.',
  bounced: 'Rebonds permanents, en proportion des e-mails envoyés ou refusés.',
  complained: 'E-mails signalés comme spam, en proportion des e-mails envoyés ou refusés.',
  unsubscribed: 'Destinataires qui se sont désabonnés depuis cette campagne, en proportion des e-mails livrés.',
}

export const pager: Translation<typeof english.pagerTexts> = {
  label: 'Pagination',
  first: 'Première page',
  previous: 'Précédent',
  next: 'Suivant',
  /** "51–100 sur 244 contacts", or without a known total "51–100". */
  rows: (first, rows, total) =>
    `${formatNumber(first)}–${formatNumber(first + rows - 1)}${total ? ` sur ${total}` : ''}`,
  position: (page, totalPages) => `Page ${formatNumber(page)} sur ${formatNumber(totalPages)}`,
}

export const navigation: Translation<typeof english.navigationTexts> = {
  project: 'Projet',
  account: 'Compte',
  skip: 'Aller au contenu',
  openMenu: 'Ouvrir le menu',
  closeMenu: 'Fermer le menu',
  search: 'Rechercher',
  newProject: 'Nouveau projet',
  disabled: (reason) =>
    reason
      ? `Ce projet est désactivé et ne peut pas envoyer d’e-mails. Motif : ${reason}`
      : 'Ce projet est désactivé et ne peut pas envoyer d’e-mails. Contactez votre administrateur.',
  themes: { light: 'Thème clair', dark: 'Thème sombre', system: 'Thème du système' },
  apiReference: 'Référence de l’API',
  signOut: 'Se déconnecter',
}

export const palette: Translation<typeof english.paletteTexts> = {
  label: 'Recherche et commandes',
  placeholder: 'Rechercher ou aller à…',
  closeKey: 'Échap',
  hint: 'Saisissez au moins deux lettres pour rechercher des contacts, campagnes, segments, e-mails et plus encore.',
  empty: 'Aucun résultat',
  goTo: 'Aller à',
  create: 'Commandes',
  projects: 'Projets',
  settings: 'Paramètres',
  settingsTab: (tab) => `Paramètres : ${tab}`,
  toLight: 'Passer au thème clair',
  toDark: 'Passer au thème sombre',
  contacts: 'Contacts',
  campaigns: 'Campagnes',
  templates: 'Modèles',
  workflows: 'Workflows',
  segments: 'Segments',
  emails: 'E-mails',
  email: (subject, to) => `${subject} (à ${to})`,
  contact: (email, name) => (name ? `${email} (${name})` : email),
  newProject: 'Créer un projet',
  docs: 'Ouvrir la documentation',
  signOut: 'Se déconnecter',
}

export const tag: Translation<typeof english.tagTexts> = {
  filter: 'Tag',
  all: 'Tous les tags',
  name: 'Tag',
  add: 'Ajouter un tag',
  addTo: (name) => `Ajouter un tag à ${name}`,
  change: 'Modifier',
  edit: (name) => `Modifier les tags de ${name}`,
  show: (tag) => `Afficher tous les éléments avec le tag ${tag}`,
  remove: (tag) => `Retirer le tag ${tag}`,
}

/** Lists that are searched by typing. */
export const picker: Translation<typeof english.pickerTexts> = {
  recent: 'Récents',
  others: 'Tous',
  empty: 'Aucun résultat',
  searching: 'Recherche…',
  failed: 'La liste n’a pas pu être chargée.',
  gone: 'N’existe plus',
  more: (count) => `${formatNumber(count)} de plus. Saisissez du texte pour affiner la liste.`,
  found: (count) => (count === 0 ? 'Aucun résultat' : formatCount(count, { one: 'résultat', other: 'résultats' })),
  contactPlaceholder: 'Nom ou adresse',
  templatePlaceholder: 'Rechercher un modèle',
  segmentPlaceholder: 'Rechercher un segment',
  workflowPlaceholder: 'Rechercher un workflow',
  campaignPlaceholder: 'Rechercher une campagne',
  segmentSize: (count) => formatCount(count, { one: 'contact', other: 'contacts' }),
}

export const socialNetwork: Translation<typeof english.socialNetworkTexts> = {
  website: 'Site web',
  x: 'X',
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  github: 'GitHub',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  threads: 'Threads',
}

export const sort: Translation<typeof english.sortTexts> = {
  ascending: 'tri croissant',
  descending: 'tri décroissant',
}

export const shortcut: Translation<typeof english.shortcutTexts> = {
  title: 'Raccourcis clavier',
  general: 'Partout',
  palette: 'Recherche et commandes',
  search: 'Rechercher dans cette liste',
  save: 'Enregistrer',
  submit: 'Valider le formulaire',
  help: 'Afficher les raccourcis clavier',
  lists: 'Listes',
  next: 'Ligne suivante',
  previous: 'Ligne précédente',
  open: 'Ouvrir la ligne',
  select: 'Sélectionner la ligne',
  goTo: 'Aller à',
  keyAfter: 'puis',
  keyOr: 'ou',
}

export const error: Translation<typeof english.errorTexts> = {
  notFoundTitle: 'Page introuvable',
  notFound: 'Le lien est peut-être erroné, ou ce vers quoi il mène a été supprimé.',
  home: 'Aller au tableau de bord',
  missing: (title) => `${title} introuvable`,
  backTo: (label) => `Retour à la page « ${label} »`,
  failedTitle: 'Une erreur s’est produite',
}

export const accountField: Translation<typeof english.accountFieldTexts> = {
  email: 'E-mail',
  password: 'Mot de passe',
  passwordHint: 'Utilisez au moins 8 caractères.',
}

export const color: Translation<typeof english.colorTexts> = { pick: (label) => `${label} : choisir une couleur` }

export const captured: Translation<typeof english.capturedTexts> = {
  notice: 'Mode test : les e-mails sont conservés ici et ne sont pas envoyés.',
}

export const connection: Translation<typeof english.connectionTexts> = {
  offline: 'Vous êtes hors ligne. Posthorn se reconnectera automatiquement et vos modifications sont conservées.',
  unreachable: 'Posthorn est injoignable. Nouvelle tentative…',
  retry: 'Essayer maintenant',
  slow: 'L’opération prend plus de temps que d’habitude.',
}

export const unsaved: Translation<typeof english.unsavedTexts> = {
  title: 'Quitter sans enregistrer ?',
  lead: 'Cette page contient des modifications non enregistrées. Si vous la quittez, elles seront perdues.',
  stay: 'Continuer à modifier',
  leave: 'Quitter la page',
  restored: 'Vos modifications non enregistrées ont été restaurées.',
  discard: 'Les abandonner',
  discardEntered: 'Abandonner vos modifications ?',
}

export const testEmail: Translation<typeof english.testEmailTexts> = {
  open: 'Envoyer un test',
  to: 'Destinataire',
  send: 'Envoyer un test',
  sent: (address) => `E-mail de test envoyé à ${address}.`,
  view: 'Voir l’e-mail',
}

export const sharedBlock: Translation<typeof english.sharedBlockTexts> = {
  layout: 'Mise en page',
  layoutHint: 'L’en-tête et le pied de page qui entourent cet e-mail.',
  noLayout: 'Aucune mise en page',
  insert: 'Blocs enregistrés',
  choose: 'Insérer une copie…',
  save: 'Enregistrer le bloc',
  saveLead: 'Votre équipe peut insérer une copie de ce bloc dans d’autres e-mails.',
  saved: 'Bloc enregistré.',
  name: 'Nom',
}

export const emailPreview: Translation<typeof english.emailPreviewTexts> = {
  imagesBlocked: 'Les images distantes sont bloquées.',
  showImages: 'Afficher les images',
  probe: 'Hauteur de l’e-mail',
  desktop: 'Largeur d’ordinateur',
  phone: 'Largeur de téléphone',
  light: 'Afficher en mode clair',
  dark: 'Afficher en mode sombre',
}

export const imageUpload: Translation<typeof english.imageUploadTexts> = { imageFile: 'Fichier image' }

export const bodyEditor: Translation<typeof english.bodyEditorTexts> = {
  section: 'Corps',
  editor: 'Corps (HTML avec Liquid)',
  hint: 'Accepte Liquid et des valeurs de repli : <variable/>, <tag/>',
  uploadImage: 'Importer une image',
  copyImage: 'Copier la balise d’image',
}

/** Statuses, by what has them, so that gender agrees. */
export const status: Translation<typeof english.statusTexts> = {
  emails: {
    SCHEDULED: 'Programmé',
    PENDING: 'En attente',
    SENDING: 'En cours d’envoi',
    SENT: 'Envoyé',
    DELIVERED: 'Livré',
    OPENED: 'Ouvert',
    CLICKED: 'Cliqué',
    BOUNCED: 'Rebond',
    COMPLAINED: 'Signalé comme spam',
    FAILED: 'Échec',
    CANCELLED: 'Annulé',
    SKIPPED: 'Ignoré',
    RECEIVED: 'Reçu',
  },
  sources: {
    TRANSACTIONAL: 'Transactionnel',
    CAMPAIGN: 'Campagne',
    WORKFLOW: 'Workflow',
    INBOUND: 'Entrant',
    TEST: 'Test',
  },
  campaigns: {
    DRAFT: 'Brouillon',
    SCHEDULED: 'Programmée',
    SENDING: 'En cours d’envoi',
    SENT: 'Envoyée',
    CANCELLED: 'Annulée',
    PAUSED: 'En pause',
    NOT_STARTED: 'Non démarrée',
  },
  /** The statuses of executions of workflows and of their steps. */
  executions: {
    RUNNING: 'En cours',
    WAITING: 'En attente',
    COMPLETED: 'Terminée',
    EXITED: 'Sortie',
    SKIPPED: 'Ignorée',
    FAILED: 'Échouée',
    CANCELLED: 'Annulée',
  },
  subscriptions: {
    active: 'Actif',
    trialing: 'À l’essai',
    past_due: 'En retard de paiement',
    unpaid: 'Impayé',
    canceled: 'Résilié',
    incomplete: 'Incomplet',
    incomplete_expired: 'Incomplet et expiré',
    paused: 'En pause',
  },
  invoices: {
    draft: 'Brouillon',
    open: 'Ouverte',
    paid: 'Payée',
    uncollectible: 'Irrécouvrable',
    void: 'Annulée',
  },
}

export const chart: Translation<typeof english.chartTexts> = {
  day: 'Jour',
  today: (day) => `${day}, jusqu’à présent`,
  todaySoFar: 'Aujourd’hui, jusqu’à présent',
}

/** What happens in a project, as in the activity feed. */
export const activities: Translation<typeof english.activityTexts> = {
  entersSegment: (segment) => `Entrée dans le segment « ${segment} »`,
  leavesSegment: (segment) => `Sortie du segment « ${segment} »`,
  types: {
    'email.sent': 'E-mail envoyé',
    'email.delivery': 'E-mail livré',
    'email.open': 'E-mail ouvert',
    'email.click': 'Lien cliqué',
    'email.bounce': 'Rebond de l’e-mail',
    'email.complaint': 'Signalé comme spam',
    'email.failed': 'Échec de l’e-mail',
    'email.received': 'E-mail reçu',
    'contact.subscribed': 'Contact abonné',
    'contact.confirmed': 'Abonnement confirmé',
    'contact.unsubscribed': 'Contact désabonné',
    'campaign.scheduled': 'Campagne programmée',
    'campaign.sent': 'Campagne démarrée',
    'workflow.started': 'Workflow démarré',
    'workflow.completed': 'Workflow terminé',
    'workflow.failed': 'Échec du workflow',
  },
}

/** Events that Posthorn records itself, next to the email or contact they belong to. */
export const eventLabels: Translation<typeof english.eventLabels> = {
  scheduled: 'Programmé',
  queued: 'Accepté',
  'copy-refused': 'Copie refusée',
  'copy-deferred': 'Copie retardée',
  'copy-report': 'Rapport sur une copie',
  'contact.confirmed': 'Confirmé',
  'contact.unsubscribed': 'Désabonné',
  'contact.subscribed': 'Abonné',
  'email.sent': 'Envoyé',
  'email.delivery': 'Livré',
  'email.open': 'Ouvert',
  'email.click': 'Cliqué',
  'email.bounce': 'Rebond',
  'email.complaint': 'Signalé comme spam',
  'email.failed': 'Échec',
  'email.received': 'Reçu',
}

/** The choice of a topic for an email. */
export const topic: Translation<typeof english.topicTexts> = {
  label: 'Thématique',
  none: 'Aucune thématique',
  hint: 'Seuls les contacts abonnés à cette thématique reçoivent l’e-mail.',
}
