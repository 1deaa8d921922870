/** French texts of the overview page. */

import { formatCount, formatNumber, formatPercent, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/overview/texts.ts'
import type { Translation } from '../../../translation.ts'

const LEVELS = { warning: 'd’avertissement', critical: 'critique' }

export const overview: Translation<typeof english.texts> = {
  title: 'Vue d’ensemble',
  lead: (project) => `Activité récente de ${project}.`,
  leadNew: 'Configurez votre projet et envoyez votre premier e-mail.',
  contacts: 'Contacts',
  sent: 'Envoyés (30 jours)',
  openRate: 'Taux d’ouverture',
  bounceRate: 'Taux de rebond',
  running: {
    campaigns: 'Campagnes en cours',
    progress: (sent, total) => `${formatCount(sent, { one: 'envoyé', other: 'envoyés' })} sur ${formatNumber(total)}`,
    starts: 'Début : <time/>',
    workflows: 'Workflows activés',
    trigger: (event) => (event ? `Démarre avec « ${event} »` : 'Démarré manuellement'),
    executions: (active, completed) =>
      `${formatNumber(active)} en cours · ${formatCount(completed, { one: 'terminée', other: 'terminées' })} ces 7 derniers jours`,
    allWorkflows: (count) =>
      pickPlural(count, { one: 'Voir le workflow', other: `Voir les ${formatNumber(count)} workflows` }),
  },
  alerts: {
    disabled: 'L’envoi est désactivé.',
    /** "1 e-mail sur 242 (0,41 %) a été signalé comme spam ces 7 derniers jours, ce qui atteint le seuil critique de …" */
    highRate: ({ kind, count, sent, rate, period, level, threshold }) => {
      const emails = formatCount(count, { one: 'e-mail', other: 'e-mails' })
      const outcome =
        kind === 'bounces'
          ? pickPlural(count, { one: 'a fait l’objet d’un rebond', other: 'ont fait l’objet d’un rebond' })
          : pickPlural(count, { one: 'a été signalé comme spam', other: 'ont été signalés comme spam' })
      const when = period === 'sevenDay' ? 'ces 7 derniers jours' : 'depuis la création du projet'
      const limit = `le seuil ${LEVELS[level]} de ${formatPercent(threshold, 2)}`
      return `${emails} sur ${formatNumber(sent)} (${formatPercent(rate, 2)}) ${outcome} ${when}, ce qui atteint ${limit}.`
    },
    viewReputation: 'Voir la réputation',
    domainPending: (domain) => `${domain} n’est pas encore vérifié : vous ne pouvez pas envoyer depuis ce domaine.`,
    domainFailed: (domain) =>
      `Les enregistrements DNS de ${domain} n’ont pas été trouvés : vous ne pouvez pas envoyer depuis ce domaine.`,
    viewDomain: 'Voir les enregistrements DNS',
    campaignHeld: (name, reason) => `La campagne « ${name} » ne peut pas être envoyée. Motif : ${reason}`,
    viewCampaign: 'Voir la campagne',
    endpointFailing: (url) => `Les requêtes vers l’endpoint de webhook ${url} échouent.`,
    endpointDisabled: (url) =>
      `Posthorn a désactivé l’endpoint de webhook ${url} car ses requêtes ont échoué. Il ne reçoit aucun événement.`,
    viewEndpoint: 'Voir l’endpoint',
    failedStep: (name, webhook) =>
      webhook ? (name ? `Le webhook « ${name} »` : 'Un webhook') : name ? `L’étape « ${name} »` : 'Une étape',
    stepFailed: (step, workflow, count, error) =>
      `${step} de « ${workflow} » a échoué pour ${formatCount(count, { one: 'contact', other: 'contacts' })} ces dernières 24 heures.${error ? ` Dernière erreur : ${error}` : ''}`,
    viewFailures: 'Voir les échecs',
  },
  chart: {
    title: 'E-mails des 30 derniers jours',
    lead: 'Les envois, livraisons, ouvertures, clics et rebonds sont comptés le jour où ils ont lieu (UTC).',
    leadRates:
      'Les taux de chaque jour (UTC), sans aujourd’hui. Les ouvertures, clics et rebonds sont comptés le jour où ils ont lieu.',
    label: 'E-mails par jour',
    view: 'Affichage',
    views: { counts: 'Nombres', rates: 'Taux' },
    sent: 'Envoyés',
    delivered: 'Livrés',
    opened: 'Ouverts',
    clicked: 'Cliqués',
    bounced: 'Rebonds',
  },
  recent: {
    title: 'E-mails récents',
    viewAll: 'Voir tous les e-mails',
    emptyTitle: 'Aucun e-mail',
    empty:
      'Les e-mails que vous envoyez s’affichent ici avec leur statut. Envoyez le premier par l’API ou à partir d’un modèle.',
    email: 'E-mail',
    status: 'Statut',
    date: 'Date',
  },
  checklist: {
    title: 'Premiers pas',
    titleNew: (project) => `Bienvenue dans ${project}`,
    lead: (done, total) =>
      `${formatCount(done, { one: 'étape terminée', other: 'étapes terminées' })} sur ${formatNumber(total)}.`,
    verifyDomain: 'Vérifier un domaine',
    addDomain: 'Ajouter votre domaine',
    addContact: 'Ajouter un contact',
    createTemplate: 'Créer un modèle',
    sendEmail: 'Envoyer un e-mail',
    sendCampaign: 'Envoyer une campagne',
    enableWorkflow: 'Activer un workflow',
    done: '(terminé)',
    open: '(non terminé)',
    sendTest: 'M’envoyer un e-mail de test',
    sendTestLead: (address, captured) =>
      captured
        ? `Envoie un e-mail à ${address}. En mode test, il est conservé ici et n’est pas envoyé.`
        : `Envoie un e-mail de votre projet à ${address}.`,
    needsDomain:
      'Ajoutez le domaine depuis lequel vous envoyez, puis ajoutez ses enregistrements à votre DNS pour prouver qu’il vous appartient. Vous pourrez ensuite envoyer votre premier e-mail d’ici ou depuis votre code.',
    testSubject: 'Bonjour de la part de Posthorn',
    testBody: '<h1>Ça marche</h1><p>Cet e-mail a été envoyé par votre projet.</p>',
    waiting: 'En attente de votre premier e-mail…',
    arrived: 'Votre premier e-mail a été envoyé :',
    orFromCode: 'Ou envoyez un e-mail depuis votre code',
  },
  examples: {
    label: 'Exemples de requêtes',
    example: (name) => `Exemple ${name}`,
    secretAbove:
      'Remplacez sk_… par votre clé secrète, qui se termine par <suffix/>. Si vous ne l’avez plus, remplacez les clés ci-dessus.',
    secretHidden:
      'Remplacez sk_… par votre clé secrète, qui se termine par <suffix/>. Vous pouvez créer de nouvelles clés dans les <link>paramètres</link>.',
  },
}
