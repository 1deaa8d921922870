/** French texts of the domains page. */

import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/domains/texts.ts'
import type { Translation } from '../../../translation.ts'

/** How records are named in labels. */
const recordNames: Record<string, string> = { dkim: 'DKIM', ed25519: 'DKIM (Ed25519)', spf: 'SPF', dmarc: 'DMARC' }

const recordName = (purpose: string) => recordNames[purpose] ?? purpose

export const domains: Translation<typeof english.texts> = {
  title: 'Domaines',
  lead: 'Vous ne pouvez envoyer que depuis des domaines vérifiés.',
  add: 'Ajouter un domaine',
  emptyTitle: 'Aucun domaine',
  empty:
    'Ajoutez le domaine depuis lequel vous voulez envoyer. Posthorn affiche ensuite les enregistrements DNS à créer et les vérifie automatiquement.',
  statuses: { VERIFIED: 'Vérifié', PENDING: 'En attente', FAILED: 'Échec' },
  lastChecked: (found, records) =>
    `${formatCount(found, { one: 'enregistrement DNS trouvé', other: 'enregistrements DNS trouvés' })} sur ${formatNumber(records)}, dernière vérification : <time/>`,
  neverChecked: 'Pas encore vérifié',
  captured:
    'Un domaine est donc vérifié sans consulter le DNS : automatiquement en quelques minutes, ou tout de suite avec « Vérifier le DNS ». Créez les enregistrements DNS avant d’envoyer de vrais e-mails.',
  check: 'Vérifier le DNS',
  verified: (domain) => `${domain} est vérifié.`,
  notVerified:
    'Certains enregistrements n’ont pas été trouvés. Les modifications DNS peuvent mettre du temps à prendre effet. Revérifiez plus tard.',
  actionsOf: (domain) => `Actions pour ${domain}`,
  remove: 'Retirer le domaine',
  removeTitle: (domain) => `Retirer ${domain} ?`,
  removeEffect:
    'Vous ne pourrez plus envoyer depuis ce domaine, et les e-mails en attente d’envoi depuis celui-ci échoueront. Sa clé DKIM sera supprimée : il vous faudra de nouveaux enregistrements DNS si vous l’ajoutez de nouveau.',
  removed: 'Domaine retiré.',
  records: {
    label: (domain) => `Enregistrements DNS de ${domain}`,
    column: { type: 'Type', record: 'Usage', name: 'Nom', value: 'Valeur', status: 'État' },
    notChecked: (count, isVerified) =>
      `${formatCount(count, { one: 'enregistrement DNS', other: 'enregistrements DNS' })}, ${
        isVerified ? 'domaine vérifié sans DNS' : pickPlural(count, { one: 'non vérifié', other: 'non vérifiés' })
      } en mode test`,
    show: 'Afficher les enregistrements',
    hide: 'Masquer les enregistrements',
    found: 'Trouvé',
    notFound: 'Introuvable',
    copyName: (purpose) => `Copier le nom de l’enregistrement ${recordName(purpose)}`,
    copyValue: (purpose) => `Copier la valeur de l’enregistrement ${recordName(purpose)}`,
    priority: (priority) => `Priorité ${formatNumber(priority)}`,
    purposes: {
      ownership: 'Prouve que le domaine vous appartient',
      dkim: 'Signe vos e-mails',
      ed25519: 'Signe aussi vos e-mails, avec une clé Ed25519',
      spf: 'Autorise Posthorn à envoyer pour le domaine',
      dmarc: 'Indique aux serveurs destinataires que faire des e-mails falsifiés',
      'return-path': 'Reçoit les rebonds',
    },
  },
  ed25519: {
    add: 'Ajouter une clé Ed25519',
    addTitle: (domain) => `Ajouter une clé Ed25519 à ${domain} ?`,
    addEffect:
      'Les e-mails seront alors signés deux fois : avec la clé RSA, que tous les serveurs peuvent vérifier, et avec une clé Ed25519, que certains préfèrent. Créez l’enregistrement DNS qui s’affichera ensuite. La seconde signature est ajoutée dès que l’enregistrement est trouvé.',
    added: 'Clé Ed25519 ajoutée. Créez son enregistrement DNS.',
    remove: 'Supprimer la clé Ed25519',
    removeTitle: (domain) => `Supprimer la clé Ed25519 de ${domain} ?`,
    removeEffect:
      'Les e-mails ne seront plus signés qu’avec la clé RSA. Conservez l’enregistrement DNS pendant une semaine, afin que les serveurs puissent vérifier les e-mails en cours d’acheminement. Si vous ajoutez à nouveau une clé, il lui faudra un nouvel enregistrement DNS.',
    removed: 'Clé Ed25519 supprimée.',
  },
  warmUp: {
    set: 'Configurer la montée en charge',
    change: 'Modifier la montée en charge',
    title: (domain) => `Montée en charge de ${domain}`,
    label: (domain) => `Montée en charge de ${domain}`,
    explanation:
      'Les fournisseurs de messagerie se méfient d’un nouveau domaine qui envoie beaucoup d’un coup. Une montée en charge limite ses e-mails marketing à un nombre qui augmente chaque jour ; le reste attend le lendemain. Les e-mails transactionnels ne sont jamais retenus.',
    progress: (sent, limit) =>
      `Montée en charge : ${formatCount(sent, { one: 'e-mail marketing envoyé', other: 'e-mails marketing envoyés' })} sur ${formatNumber(limit)} aujourd’hui`,
    startsOn: (day) => `La montée en charge commence le ${day}. D’ici là, rien n’est retenu.`,
    lead: 'Au-delà du nombre du jour, les e-mails marketing attendent le lendemain, qui commence à minuit UTC.',
    full: 'Le nombre du jour est atteint. Les e-mails marketing reprennent à minuit UTC.',
    plan: 'E-mails marketing des prochains jours',
    utc: 'Les jours commencent à minuit UTC. Les campagnes reprennent automatiquement.',
    startedOn: 'Premier jour',
    perDay: 'E-mails le premier jour',
    growth: 'Facteur de croissance par jour',
    save: 'Enregistrer',
    saved: 'Montée en charge enregistrée.',
    end: 'Arrêter la montée en charge',
    ended: 'Montée en charge arrêtée. Les e-mails en attente sont en cours d’envoi.',
  },
  addDialog: {
    title: 'Ajouter un domaine',
    lead: 'La partie après le signe @ dans vos adresses d’expéditeur.',
    domain: 'Domaine',
    placeholder: 'example.com',
    added: 'Domaine ajouté.',
  },
}
