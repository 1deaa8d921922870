/** French texts of the settings pages about the project: its settings, branding, usage, billing and reputation. */

import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/settings/project-texts.ts'
import type { Translation } from '../../../translation.ts'
import { socialNetwork } from '../../shell/texts.ts'

export const project: Translation<typeof english.projectTexts> = {
  preferencePage: {
    title: 'Page de préférences',
    lead: 'Les contacts accèdent à cette page avec {{manageUrl}} et depuis les pages de désabonnement. Elle contient toujours les thématiques publiques et une pause.',
    offers: {
      language: 'Laisser les contacts choisir leur langue',
      timezone: 'Laisser les contacts choisir leur fuseau horaire',
      dataDownload: 'Laisser les contacts télécharger leurs données',
    },
    hints: {
      language: 'Enregistrée dans le champ « locale ».',
      timezone: 'Enregistré dans le champ « timezone ».',
      dataDownload:
        'Toute personne disposant du lien d’un e-mail peut télécharger ce qui est enregistré sur le contact.',
    },
    save: 'Enregistrer la page',
    saved: 'Page de préférences enregistrée.',
  },
  doubleOptIn: {
    title: 'Double opt-in',
    lead: 'Les nouveaux contacts confirment leur abonnement par un lien dans un e-mail avant de recevoir des e-mails marketing.',
    enabled: 'Demander confirmation aux contacts ajoutés par l’API',
    template: 'E-mail de confirmation',
    templateHint: 'Votre propre modèle doit contenir un lien vers {{confirmUrl}}.',
    standard: 'L’e-mail de Posthorn, dans la langue du contact',
    redirectUrl: 'Page après la confirmation',
    redirectUrlHint:
      'Une URL de votre site web. Laissez vide pour afficher une page indiquant que l’abonnement est confirmé.',
    save: 'Enregistrer le double opt-in',
    saved: 'Double opt-in enregistré.',
  },
  project: {
    name: 'Nom',
    tracking: 'Suivi des ouvertures et des clics',
    trackingHint:
      'Enregistre qui ouvre les e-mails et clique sur les liens. Les e-mails que vos applications envoient sans modèle ne sont jamais suivis.',
    trackingOptions: {
      ENABLED: 'Tous les e-mails avec modèle',
      MARKETING_ONLY: 'E-mails marketing seulement',
      DISABLED: 'Désactivé',
    },
    language: 'Langue',
    languageHint: 'Utilisée pour le pied de page des e-mails et les pages de désabonnement des contacts sans langue.',
    sendToBounced: 'Envoyer aux adresses avec rebond',
    sendToBouncedHint:
      'Envoie les e-mails transactionnels même aux adresses exclues après un rebond permanent. Si l’option est désactivée, ces e-mails échouent, ce qui protège votre réputation. Aucun e-mail marketing ne leur est jamais envoyé.',
    publicKeyUpdates: 'Modifications avec la clé publique',
    publicKeyUpdatesHint:
      'Ce que votre site web peut modifier sur les contacts lorsqu’il suit des événements. Il n’annule jamais un désabonnement fait par un contact.',
    publicKeyUpdatesOptions: {
      all: 'Données et abonnement de tous les contacts',
      new: 'Données et abonnement des nouveaux contacts seulement',
      none: 'Rien : événements seulement',
    },
    save: 'Enregistrer les paramètres',
    saved: 'Paramètres enregistrés.',
    readOnly: 'Seuls les propriétaires et les admins peuvent modifier ces paramètres.',
  },
  branding: {
    title: 'Identité visuelle',
    address: 'Adresse postale',
    addressHint: 'Affichée dans le pied de page des e-mails marketing. De nombreux pays l’exigent.',
    addressInContent: 'Les e-mails contiennent eux-mêmes l’adresse postale',
    addressInContentHint: 'Les vérifications n’exigent alors pas d’adresse dans le pied de page.',
    logo: 'URL du logo',
    logoHint: 'Importez une image ou saisissez l’URL d’une image de votre site web.',
    uploadLogo: 'Importer un logo',
    color: 'Couleur de marque',
    font: 'Police',
    darkMode: 'Couleurs sombres en mode sombre',
    darkModeHint:
      'Indique si les e-mails visuels deviennent sombres pour les personnes qui utilisent le mode sombre. Les e-mails qui ont leur propre réglage le conservent.',
    darkModes: { '': 'À décider dans chaque e-mail', true: 'Activées', false: 'Désactivées' },
    fonts: { '': 'Par défaut', sans: 'Sans empattement', serif: 'Avec empattement', rounded: 'Arrondie', mono: 'Mono' },
    colors: {
      background: 'Arrière-plan',
      contentBackground: 'Arrière-plan du contenu',
      textColor: 'Couleur du texte',
      linkColor: 'Couleur des liens',
    },
    social: 'Réseaux sociaux',
    network: 'Réseau',
    networks: socialNetwork,
    socialUrl: 'URL',
    addLink: 'Ajouter un lien',
    removeLink: 'Retirer le lien',
    save: 'Enregistrer l’identité',
    saved: 'Identité visuelle enregistrée.',
    preview: {
      title: 'Aperçu',
      heading: 'Bienvenue dans votre nouvelle offre',
      text: 'Tout est prêt. Lisez le <link>guide de démarrage</link> pour découvrir les premiers pas.',
      button: 'Ouvrir le tableau de bord',
      unsubscribe: 'Se désabonner',
    },
  },
  danger: {
    title: 'Zone de danger',
    reset: 'Réinitialiser le projet',
    resetLead:
      'Supprime tous les contacts, événements, modèles et autres données. Le projet lui-même, ses clés API, ses membres et ses domaines sont conservés. Cette action est irréversible.',
    resetTitle: (project) => `Réinitialiser ${project} ?`,
    resetEffect:
      'Tous les contacts, événements, modèles, campagnes, segments, workflows et e-mails de ce projet sont supprimés définitivement.',
    resetDone: 'Projet réinitialisé.',
    delete: 'Supprimer le projet',
    deleteLead:
      'Supprime le projet et toutes ses données. Ses clés API cessent immédiatement de fonctionner. Cette action est irréversible.',
    deleteTitle: (project) => `Supprimer ${project} ?`,
    deleteEffect: 'Le projet et toutes ses données sont supprimés définitivement.',
  },
  usage: {
    sources: {
      transactional: 'Transactionnels',
      campaigns: 'Campagnes',
      workflows: 'Workflows',
      inbound: 'Entrants',
    },
    limitsTitle: 'Limites mensuelles',
    limitsLead: 'Les e-mails au-delà d’une limite sont refusés. Laissez un champ vide pour ne pas limiter.',
    noLimit: 'Sans limite',
    used: (count) => `${formatCount(count, { one: 'e-mail', other: 'e-mails' })} ce mois-ci`,
    saveLimits: 'Enregistrer les limites',
    limitsSaved: 'Limites enregistrées.',
    historyTitle: 'Utilisation mensuelle',
    historyLead:
      'Les e-mails comptent dès qu’ils sont acceptés, même s’ils ne sont finalement pas envoyés : le total peut donc dépasser le nombre d’e-mails envoyés indiqué sous Réputation. Les mois commencent à minuit UTC.',
    ofSource: (count, source) => `${source} : ${formatNumber(count)}`,
    month: 'Mois',
    total: 'Total',
  },
  billing: {
    offTitle: 'La facturation est désactivée',
    off: 'Cette installation ne facture pas les e-mails.',
    offOperator:
      'Cette installation ne facture pas les e-mails. Pour activer les abonnements et les factures, définissez <secretKey/> et <priceId/>. Les limites mensuelles fonctionnent dans tous les cas.',
    subscription: 'Abonnement',
    noSubscription: 'Vous n’avez pas encore d’abonnement.',
    renews: (status) => `${status}, renouvellement le <time/>`,
    ends: (status) => `${status}, fin le <time/>`,
    openPortal: 'Ouvrir le portail de facturation',
    subscribe: 'S’abonner',
    invoices: 'Factures',
    noInvoicesTitle: 'Aucune facture',
    noInvoices:
      'Stripe crée une facture à la fin de chaque période de facturation. Vous pouvez la consulter et la télécharger ici.',
    column: { invoice: 'Facture', status: 'Statut', amount: 'Montant', created: 'Création' },
    draft: 'Brouillon',
    view: 'Voir',
    viewInvoice: (number) => (number ? `Voir la facture ${number}` : 'Voir la facture'),
    pdf: 'PDF',
    pdfInvoice: (number) => (number ? `Télécharger la facture ${number} en PDF` : 'Télécharger la facture en PDF'),
  },
  security: {
    status: 'État',
    statuses: {
      healthy: { label: 'Bon', advice: 'Vos taux de rebond et de spam sont faibles.' },
      warning: {
        label: 'Avertissement',
        advice:
          'Votre taux de rebond ou de plaintes est élevé. N’envoyez qu’aux personnes qui ont demandé vos e-mails.',
      },
      critical: {
        label: 'Critique',
        advice:
          'Les fournisseurs de messagerie peuvent refuser les e-mails d’expéditeurs ayant de tels taux. Mettez vos campagnes en pause et retirez les contacts qui n’ont pas demandé vos e-mails.',
      },
    },
    disabled: (reason) =>
      reason ? `L’envoi est désactivé. Motif : ${reason}` : 'L’envoi est désactivé. Contactez votre administrateur.',
    periods: { sevenDay: '7 derniers jours', allTime: 'Toute la période' },
    from: {
      warning: (rate) => `Avertissement dès ${rate}`,
      critical: (rate) => `Critique dès ${rate}`,
    },
    bouncedEmails: 'Voir les e-mails en rebond',
    complainedEmails: 'Voir les e-mails signalés comme spam',
    meaning: 'Comment les taux sont évalués',
    period: (emails) =>
      `Les 7 derniers jours comptent si vous y avez envoyé au moins ${formatCount(emails, { one: 'e-mail', other: 'e-mails' })}. Sinon, tous les e-mails comptent, y compris les e-mails supprimés.`,
    atWarning:
      '<level>Avertissement :</level> la vue d’ensemble affiche une alerte. Vos e-mails sont toujours envoyés.',
    atCritical:
      '<level>Critique :</level> les fournisseurs de messagerie peuvent commencer à refuser vos e-mails. Si cette installation utilise <setting/>, le projet est désactivé et ne peut plus envoyer tant que l’opérateur ne le réactive pas.',
    suppressed:
      'Les adresses avec un rebond permanent ou une plainte pour spam ne reçoivent plus d’e-mails marketing. Voir les <link>exclusions</link>.',
    bounces: 'Rebonds permanents',
    complaints: 'Plaintes pour spam',
    countOf: (count, sent) => `${formatNumber(count)} sur ${formatCount(sent, { one: 'e-mail', other: 'e-mails' })}`,
    minimum: (count) =>
      `Votre réputation est évaluée dès que vous avez envoyé ${formatCount(count, { one: 'e-mail', other: 'e-mails' })}.`,
  },
}
