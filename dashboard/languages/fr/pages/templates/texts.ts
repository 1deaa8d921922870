/** French texts of the template pages, and of the email fields that campaigns share. */

import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/templates/texts.ts'
import type { Translation } from '../../../translation.ts'

const HEADER = 'En-tête'

export const templates: Translation<typeof english.texts> = {
  title: 'Modèles',
  lead: 'Des e-mails réutilisables, personnalisés pour chaque contact.',
  create: 'Créer un modèle',
  column: {
    preview: 'Aperçu',
    name: 'Nom',
    type: 'Type',
    from: 'Expéditeur',
    lastUsed: 'Utilisation',
    updated: 'Mise à jour',
  },
  neverUsed: 'Jamais',
  typeAndUpdate: '<type/>, modification : <when/>',
  search: 'Rechercher un modèle',
  type: 'Type',
  allTypes: 'Tous les types',
  sort: 'Trier par',
  sorts: {
    '': 'Modifiés récemment',
    createdAt: 'Plus récents d’abord',
    lastUsedAt: 'Utilisés récemment',
    name: 'Nom',
  },
  thumbnail: (name) => `Aperçu de ${name}`,
  types: { MARKETING: 'Marketing', TRANSACTIONAL: 'Transactionnel', HEADLESS: 'Headless' },
  emptyTitle: 'Aucun modèle',
  empty:
    'Un modèle contient l’objet, le corps et l’expéditeur d’un e-mail. Utilisez-le dans des requêtes API, des campagnes et des workflows.',
  noMatchTitle: 'Aucun modèle correspondant',
  noMatch: 'Essayez une autre recherche ou un autre type.',
  actionsFor: (name) => `Actions pour ${name}`,
  duplicated: 'Modèle dupliqué.',
  deleted: 'Modèle supprimé.',
  delete: { title: 'Supprimer ce modèle ?', action: 'Supprimer le modèle' },
  deleteEffect:
    'Les requêtes API qui utilisent ce modèle échoueront. Un modèle utilisé par un workflow ou une campagne non terminée ne peut pas être supprimé.',
  openGallery: 'Parcourir la galerie',
  openLayouts: 'Mises en page et blocs enregistrés',
  gallery: {
    title: 'Galerie de modèles',
    lead: 'Partez d’un e-mail prêt à l’emploi. Il utilise le logo, les couleurs et l’adresse de votre projet.',
    category: 'Catégorie',
    all: 'Tous les modèles',
    blank: 'Partir de zéro',
    use: 'Utiliser le modèle',
    previewNamed: (name) => `Aperçu de ${name}`,
    useNamed: (name) => `Utiliser le modèle : ${name}`,
    noSender:
      'Vous n’avez pas encore vérifié de domaine. Vous pouvez déjà modifier un modèle, mais il faut une adresse d’expéditeur pour l’enregistrer.',
    categories: {
      Onboarding: 'Accueil',
      Account: 'Compte',
      Orders: 'Commandes et paiements',
      Lifecycle: 'Cycle de vie',
      Newsletters: 'Newsletters et annonces',
    },
  },
  layouts: {
    title: 'Mises en page et blocs enregistrés',
    lead: 'Des en-têtes, pieds de page et blocs à réutiliser dans vos e-mails.',
    layouts: 'Mises en page',
    layoutsLead:
      'Un en-tête et un pied de page pour plusieurs e-mails. Les modifications s’appliquent à tous les e-mails qui utilisent la mise en page.',
    layout: 'Mise en page',
    name: 'Nom',
    emails: 'Utilisée dans',
    usedIn: (emails) => (emails === 0 ? 'Aucun e-mail' : formatCount(emails, { one: 'e-mail', other: 'e-mails' })),
    updatedAt: 'Mise à jour : <when/>',
    updated: 'Mise à jour',
    create: 'Créer une mise en page',
    createLead:
      'Une mise en page se compose d’un en-tête et d’un pied de page. Quand vous la modifiez, tous les e-mails qui l’utilisent sont mis à jour.',
    editLead:
      'À l’enregistrement, tous les modèles et campagnes non envoyées qui utilisent cette mise en page sont mis à jour.',
    unusedLead: 'Aucun e-mail n’utilise encore cette mise en page. Choisissez-la dans les paramètres d’un e-mail.',
    usedLead: (emails) =>
      `À l’enregistrement, ${formatCount(emails, {
        one: 'modèle ou campagne non envoyée utilisant cette mise en page est mis à jour',
        other: 'modèles ou campagnes non envoyées utilisant cette mise en page sont mis à jour',
      })}.`,
    save: 'Enregistrer',
    savedDone: 'Mise en page enregistrée. Les e-mails qui l’utilisent sont en cours de mise à jour.',
    part: 'Partie de la mise en page',
    header: HEADER,
    footer: 'Pied de page',
    content: 'Le contenu de l’e-mail',
    editPart: (part) => (part === HEADER ? 'Modifier l’en-tête' : `Modifier le ${part.toLowerCase()}`),
    emptyTitle: 'Aucune mise en page',
    empty:
      'Une mise en page se compose d’un en-tête et d’un pied de page communs à plusieurs e-mails. Modifiez-la une fois pour les mettre tous à jour.',
    deleted: 'Mise en page supprimée.',
    delete: { title: 'Supprimer cette mise en page ?', action: 'Supprimer la mise en page' },
    deleteEffect: (emails) =>
      emails === 0
        ? 'Aucun e-mail n’utilise cette mise en page.'
        : formatCount(emails, {
            one: 'e-mail utilise cette mise en page. Choisissez-en d’abord une autre pour lui.',
            other: 'e-mails utilisent cette mise en page. Choisissez-en d’abord une autre pour eux.',
          }),
    saved: 'Blocs enregistrés',
    savedLead:
      'Pour enregistrer un bloc, sélectionnez-le dans l’éditeur et cliquez sur le bouton en forme de marque-page. Chaque e-mail reçoit sa propre copie.',
    savedEmptyTitle: 'Aucun bloc enregistré',
    savedEmpty:
      'Sélectionnez un bloc dans l’éditeur et enregistrez-le. Vous pourrez ensuite en insérer une copie dans d’autres e-mails.',
    rename: 'Renommer',
    renameTitle: 'Renommer le bloc enregistré',
    saveName: 'Enregistrer le nom',
    renamed: 'Bloc enregistré renommé.',
    savedDeleted: 'Bloc enregistré supprimé.',
    deleteSaved: { title: 'Supprimer ce bloc enregistré ?', action: 'Supprimer le bloc' },
    deleteSavedEffect: 'Les e-mails qui en contiennent une copie la conservent.',
  },
  editor: {
    title: 'Modèle',
    createTitle: 'Créer un modèle',
    save: 'Enregistrer',
    saved: 'Modèle enregistré.',
    testContact: 'Personnaliser pour',
    test: 'Envoie le contenu actuel, y compris les modifications non enregistrées, sous forme d’e-mail du type sélectionné. Les e-mails de test ne créent pas de contact et ne comptent pas dans les statistiques.',
  },
  fields: {
    noSender: 'Aucun expéditeur',
    details: 'Expéditeur et type',
    editDetails: 'Modifier les détails',
    hideDetails: 'Masquer les détails',
    name: 'Nom',
    namePlaceholder: 'Visible seulement par votre équipe',
    type: 'Type',
    subject: 'Objet',
    subjectPlaceholder: 'Bienvenue {{name ?? "à vous"}}',
    preheader: 'Préheader',
    preheaderPlaceholder: 'Affiché après l’objet dans la boîte de réception',
    from: 'Expéditeur',
    fromPlaceholder: 'bonjour@votre-domaine.com',
    fromName: 'Nom de l’expéditeur',
    replyTo: 'Répondre à',
    replyToPlaceholder: 'Comme l’expéditeur',
    text: 'Texte brut',
    textHint: 'Pour les messageries qui n’affichent pas le HTML. Laissez vide pour le générer à partir du HTML.',
    typeHints: {
      MARKETING:
        'Les e-mails marketing ne sont envoyés qu’aux contacts abonnés et comportent un pied de page de désabonnement.',
      TRANSACTIONAL:
        'Les e-mails transactionnels, comme les reçus et les réinitialisations de mot de passe, sont envoyés à tous les contacts et n’ont pas de pied de page.',
      HEADLESS:
        'Les e-mails headless n’ont pas de pied de page. Ajoutez votre propre lien de désabonnement avec {{unsubscribeUrl}}.',
    },
  },
  preview: {
    label: 'Aperçu',
    contact: 'Aperçu pour',
    subject: 'Objet',
    preheader: 'Préheader',
    noSubject: '(sans objet)',
    missing: 'Champs manquants',
    frame: 'Aperçu de l’e-mail',
  },
}
