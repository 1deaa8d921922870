/** French texts of the settings pages about the installation and its system mail. */

import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/settings/installation-texts.ts'
import type { Translation } from '../../../translation.ts'

export const installation: Translation<typeof english.installationTexts> = {
  installation: {
    title: 'État de l’installation',
    captured: 'Pour les envoyer, configurez un transport d’e-mails avec <setting/>.',
    service: 'Service',
    healthy: 'En bon état',
    needsAttention: 'À surveiller',
    paused: (reason) => `L’envoi est suspendu depuis le <since/>. Prochaine tentative : <until/>. Motif : ${reason}`,
    credentialsRefused: (reason) =>
      `Le serveur de messagerie refuse les identifiants : aucun e-mail n’a été envoyé depuis le <since/>. Prochaine tentative : <until/>. Motif : ${reason}`,
    resume: 'Reprendre l’envoi',
    resumed: 'Envoi repris. Les e-mails en attente sont envoyés maintenant.',
    version: 'Version',
    versionOnNode: (version, node) => `Posthorn ${version} sur Node.js ${node}`,
    running: 'En service depuis',
    workers: 'Processus de travail',
    workersRunning: (count) => (count === 0 ? 'Aucun en cours' : `${formatNumber(count)} en cours`),
    address: 'Adresse',
    signUp: 'Inscription',
    signUpOpen: 'Ouverte à tous',
    signUpClosed: 'Seulement sur invitation',
    metrics: 'Métriques',
    mail: 'Transport d’e-mails',
    transport: 'Transport',
    transports: {
      capture: 'Capture (mode test)',
      smtp: 'SMTP',
      ses: 'Amazon SES',
    },
    systemFrom: 'Expéditeur des e-mails système',
    rate: 'Débit d’envoi par projet',
    noRate: 'Sans limite',
    perSecond: (count) => `${formatNumber(count)} par seconde`,
    quota: 'Quota du fournisseur',
    quotaLeft: (perSecond, today) =>
      `${formatNumber(perSecond)} par seconde, encore ${formatNumber(today)} aujourd’hui`,
    queue: 'File d’attente',
    queueLead: 'Livraisons, imports, étapes de workflows et autres tâches en arrière-plan.',
    ready: 'Tâches à exécuter',
    oldest: 'Temps d’attente maximal',
    none: 'Aucun',
    unknown: 'Inconnu',
    scheduled: 'Tâches programmées',
    failed: 'Tâches en échec',
    database: 'Base de données',
    server: 'Serveur',
    postgres: (version) => `PostgreSQL ${version}`,
    embedded: 'Intégrée',
    size: 'Taille',
    megabytes: (bytes) => `${formatNumber(Math.round(bytes / 1024 / 1024))} Mo`,
    connections: 'Connexions',
    contents: 'Contenu',
    accountsAndProjects: (accounts, projects) =>
      `${formatCount(accounts, { one: 'compte', other: 'comptes' })}, ${formatCount(projects, { one: 'projet', other: 'projets' })}`,
    retention: {
      title: 'Conservation des données',
      lead: 'Les anciennes données sont supprimées une fois par jour. Les événements et les e-mails sont supprimés par mois civil entier.',
      column: { data: 'Données', deletedAfter: 'Supprimées après', oldestMonth: 'Mois le plus ancien' },
      data: { bodies: 'Contenus et pièces jointes des e-mails', events: 'Événements', emails: 'E-mails' },
      never: 'Jamais',
      archive: 'Archivage',
      archives: { folder: 'Dossier', s3: 'Stockage compatible S3' },
      noArchive: 'Désactivé : les anciennes données ne sont pas archivées',
      lastArchive: 'Dernier archivage',
      lastArchiveRows: (name, rows) => `${name}, ${formatCount(rows, { one: 'ligne', other: 'lignes' })}, <at/>`,
      waiting: (name) => `L’archivage et la suppression de ${name} sont en attente depuis le <since/>.`,
      waitingBecause: (name, error) =>
        `L’archivage et la suppression de ${name} sont en attente depuis le <since/>. Motif : ${error}`,
      unsent: (emails) =>
        `${formatCount(emails, {
          one: 'ancien e-mail est conservé car il n’a pas encore été envoyé',
          other: 'anciens e-mails sont conservés car ils n’ont pas encore été envoyés',
        })}. Le plus ancien a été accepté le <since/>.`,
    },
  },
  systemMail: {
    title: 'E-mails système',
    captured: 'Ouvrez un message pour utiliser son lien.',
    column: { subject: 'Objet', to: 'Destinataire', date: 'Date' },
    empty: 'Aucun e-mail système. Invitez quelqu’un dans un projet pour voir l’invitation ici.',
    emptySent:
      'Cette installation envoie ces messages par e-mail. Seuls les messages qui n’ont pas été envoyés figurent ici.',
    back: 'Tous les e-mails système',
    link: 'Lien',
    copyLink: 'Copier le lien',
    openLink: 'Ouvrir le lien',
    frame: 'Message système',
  },
}
