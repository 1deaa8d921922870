/** French texts of the campaign pages: list, campaign, editor and sending. */

import { formatCount, formatDuration, formatList, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/campaigns/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

/** "supérieur de 2,5 points à la moyenne". */
function againstAverage(difference: number): string {
  const value = Math.round(Math.abs(difference) * 1000) / 10
  if (value === 0) return 'dans la moyenne'
  return `${difference > 0 ? 'supérieur' : 'inférieur'} de ${formatCount(value, { one: 'point', other: 'points' })} à la moyenne`
}

const REASONS = {
  notSubscribed: { one: 'non abonné', other: 'non abonnés' },
  pendingConfirmation: { one: 'en attente de confirmation', other: 'en attente de confirmation' },
  paused: { one: 'qui a suspendu les e-mails marketing', other: 'qui ont suspendu les e-mails marketing' },
  topic: { one: 'qui ne reçoit pas cette thématique', other: 'qui ne reçoivent pas cette thématique' },
  suppressed: { one: 'exclu', other: 'exclus' },
  frequencyCap: { one: 'ayant atteint la limite de fréquence', other: 'ayant atteint la limite de fréquence' },
  sunset: { one: 'sans ouverture ni clic (règle d’inactivité)', other: 'sans ouverture ni clic (règle d’inactivité)' },
}

const WEEKDAYS = {
  1: 'Lundi',
  2: 'Mardi',
  3: 'Mercredi',
  4: 'Jeudi',
  5: 'Vendredi',
  6: 'Samedi',
  7: 'Dimanche',
}

const EMAILS = { one: 'e-mail', other: 'e-mails' }

export const campaigns: Translation<typeof english.texts> = {
  title: 'Campagnes',
  lead: 'Envoyez un e-mail à de nombreux contacts, tout de suite ou à une heure programmée.',
  create: 'Créer une campagne',
  column: {
    name: 'Nom',
    status: 'Statut',
    sent: 'Envoyés',
    openRate: 'Ouvertures',
    clickRate: 'Clics',
    date: 'Date',
  },
  progress: (sent, total) => (sent === total ? formatNumber(sent) : `${formatNumber(sent)} sur ${formatNumber(total)}`),
  /** What the date of a campaign in the list is. */
  dates: {
    SENT: 'Envoi : <time/>',
    SENDING: 'Début : <time/>',
    SCHEDULED: 'Début : <time/>',
    CANCELLED: 'Annulation : <time/>',
    DRAFT: 'Modification : <time/>',
  },
  results: (sent, openRate, clickRate) =>
    `${formatCount(sent, { one: 'envoyé', other: 'envoyés' })} · ${openRate} ouverts · ${clickRate} cliqués`,
  search: 'Rechercher une campagne',
  status: 'Statut',
  anyStatus: 'Tous les statuts',
  sort: 'Trier par',
  sorts: { '': 'Plus récentes d’abord', updatedAt: 'Modifiées récemment', name: 'Nom' },
  emptyTitle: 'Aucune campagne',
  empty:
    'Une campagne envoie un e-mail à tous les contacts, à un segment ou aux contacts qui correspondent à une condition. Suivez les ouvertures et les clics en direct.',
  noMatchTitle: 'Aucune campagne correspondante',
  noMatch: 'Essayez une autre recherche ou un autre statut.',
  one: {
    title: 'Campagne',
    startsAt: 'Début le <time/>',
    started: 'Démarrée le <time/>',
    startedAndEnded: 'Démarrée le <start/>, terminée le <end/>',
    updated: 'Dernière modification : <time/>',
    notStarted: (reason) => `La campagne n’a pas démarré à l’heure programmée. Motif : ${reason}`,
    content: 'Contenu',
    contentLead: 'Aperçu avec un exemple de contact.',
    contentLeadWithClicks:
      'Aperçu avec un exemple de contact. Chaque badge indique combien de destinataires ont cliqué sur ce lien, et leur part des e-mails livrés.',
    canceled: 'Annulée le <time/>',
    preview: 'Aperçu de la campagne',
    subject: 'Objet',
    from: 'Expéditeur',
    replyTo: 'Répondre à',
    audience: 'Audience',
    segment: (name) => `Segment « ${name} »`,
    audiences: {
      ALL: 'Tous les contacts',
      SEGMENT: 'Un segment',
      FILTERED: 'Contacts qui correspondent à une condition',
    },
  },
  actions: {
    edit: 'Modifier la campagne',
    test: 'Envoie un e-mail avec le dernier contenu enregistré. Les e-mails de test ne comptent pas dans les statistiques.',
    pause: 'Mettre en pause',
    resume: 'Reprendre la campagne',
    paused: 'Campagne mise en pause.',
    resumed: 'Campagne reprise.',
    cancel: 'Annuler la campagne',
    cancelTitle: 'Annuler cette campagne ?',
    keep: 'Garder la campagne',
    cancelScheduled:
      'Rien n’a encore été envoyé et la campagne ne démarrera pas. Dupliquez-la pour l’envoyer plus tard.',
    cancelSending: (sent, pending) =>
      `${formatCount(sent, {
        one: 'e-mail a déjà été envoyé et ne peut pas être rappelé',
        other: 'e-mails ont déjà été envoyés et ne peuvent pas être rappelés',
      })} ; ${formatCount(pending, {
        one: 'ne sera pas envoyé',
        other: 'ne seront pas envoyés',
      })}. Dupliquez la campagne pour la renvoyer.`,
    cancelled: 'Campagne annulée.',
    duplicated: 'Campagne dupliquée en brouillon.',
    followUps: {
      NOT_OPENED: 'Relancer les destinataires qui n’ont pas ouvert',
      OPENED: 'Relancer les destinataires qui ont ouvert',
      CLICKED: 'Relancer les destinataires qui ont cliqué',
      NOT_CLICKED: 'Relancer les destinataires qui n’ont pas cliqué',
    },
    followUpCreated: 'Brouillon créé. Son audience est un nouveau segment composé de ces destinataires.',
    deleted: 'Campagne supprimée.',
    delete: { title: 'Supprimer cette campagne ?', action: 'Supprimer la campagne' },
    deleteEffect:
      'La campagne et ses statistiques sont supprimées définitivement. Les e-mails déjà envoyés sont conservés. Pour supprimer une campagne en cours d’envoi, annulez-la d’abord.',
  },
  audience: {
    title: 'Audience',
    legend: 'Type d’audience',
    kinds: {
      ALL: { title: 'Tous les contacts', hint: 'Tous les contacts qui peuvent recevoir cet e-mail.' },
      SEGMENT: { title: 'Un segment', hint: 'Les contacts du segment au début de l’envoi.' },
      FILTERED: { title: 'Une condition', hint: 'Les contacts qui correspondent à la condition ci-dessous.' },
    },
    segment: 'Segment',
    incomplete: 'Choisissez une audience pour voir combien de contacts elle comprend.',
    counting: 'Décompte des contacts…',
    count: (count) =>
      `<strong>${shared.contacts(count)}</strong> ${pickPlural(count, { one: 'recevra', other: 'recevront' })} cette campagne.`,
    /** Empty if everyone gets it. */
    left: (total, reasons) => {
      if (reasons.length === 0) return ''
      const parts = reasons.map(({ reason, count }) => formatCount(count, REASONS[reason]))
      return `Sur ${shared.contacts(total)} de cette audience, ne recevront pas la campagne : ${parts.join(', ')}.`
    },
  },
  editor: {
    createTitle: 'Créer une campagne',
    createLead: 'Rien n’est envoyé tant que vous n’avez pas vérifié la campagne sur la page suivante.',
    save: 'Enregistrer',
    saved: 'Campagne enregistrée.',
    /** Labels of what two people may have changed. */
    parts: { audience: 'Audience', utm: 'Paramètres des liens', feed: 'Flux', experiment: 'Expérience' },
    scheduled: (zone) =>
      `Cette campagne est programmée pour le <time/> (${zone}). Les modifications que vous enregistrez seront prises en compte à l’envoi.`,
    template: 'Partir d’un modèle',
    gallery: 'Choisir un design',
    galleryTitle: 'Partir d’un design de la galerie',
    galleryLead:
      'Des e-mails prêts à l’emploi, aux couleurs de votre projet. L’expéditeur et l’audience restent inchangés.',
    templateCopied: (name) => `Contenu copié depuis « ${name} ».`,
    typeKept: 'La campagne reste réservée aux contacts abonnés. Pour changer cela, modifiez son type.',
    replaceTitle: 'Remplacer le contenu de cette campagne ?',
    replaceEffect: (name) =>
      `L’objet, le corps, l’expéditeur et le type de cette campagne sont remplacés par ceux du modèle « ${name} ». Un modèle transactionnel ne change pas le type. Vous pouvez annuler tant que vous n’avez pas enregistré ou quitté la page.`,
    replace: 'Remplacer le contenu',
    keepContent: 'Garder le contenu',
    test: 'Envoie le contenu actuel, y compris les modifications non enregistrées. Les e-mails de test ne créent pas de contact et ne comptent pas dans les statistiques.',
  },
  links: {
    title: 'Liens',
    lead: 'Les paramètres UTM indiquent à votre outil d’analyse web que les visiteurs viennent de cette campagne.',
    mode: 'Paramètres UTM',
    project: 'Ceux du projet',
    projectNone: 'Ceux du projet : aucun',
    own: 'Seulement pour cette campagne',
    none: 'Aucun',
    parts: { source: 'Source', medium: 'Support', campaign: 'Campagne' },
  },
  feed: {
    title: 'Flux',
    lead: 'Affichez dans l’e-mail les articles d’un blog ou des données de votre propre serveur.',
    format: 'Source',
    formats: { '': 'Aucune', rss: 'Flux RSS ou Atom', json: 'JSON' },
    url: 'Adresse',
    hints: {
      rss: 'L’e-mail dispose de ses éléments sous feed.items. Il est récupéré une fois, au début de la campagne.',
      json: 'L’e-mail dispose des données sous feed. Elles sont récupérées une fois, au début de la campagne.',
    },
    maxItems: 'Éléments au maximum',
    check: 'Vérifier le flux',
  },
  recurrence: {
    title: 'Récurrence',
    lead: 'La campagne reste un brouillon. À chaque fois, une copie en est envoyée, dans son état du moment.',
    none: 'Envoyez une copie de ce brouillon chaque jour, chaque semaine ou chaque mois.',
    /** "Chaque lundi à 09:00 (Europe/Paris)." */
    rule: ({ every, time, timezone, weekdays, day }) => {
      const days = (weekdays ?? []).map((weekday) => WEEKDAYS[weekday as keyof typeof WEEKDAYS].toLowerCase())
      const when = {
        day: 'Chaque jour',
        week: `Chaque ${formatList(days)}`,
        month: `Le ${day === 1 ? '1er' : day} de chaque mois`,
      }[every]
      return `${when} à ${time} (${timezone}).`
    },
    next: 'La prochaine copie part le <time/>.',
    states: { active: '', paused: 'En pause.', ended: 'Terminée.' },
    sent: (count) => `${formatCount(count, { one: 'campagne envoyée', other: 'campagnes envoyées' })} jusqu’à présent.`,
    last: 'Dernière fois, le <time/> :',
    show: 'Voir la campagne',
    history: 'Historique',
    historyLead: 'Ce qui s’est passé à chaque fois, du plus récent au plus ancien.',
    at: 'Heure',
    outcome: 'Résultat',
    more: 'Afficher plus',
    copyOf: 'Envoyée par une <link>campagne récurrente</link>',
    badge: 'Récurrente',
    add: 'Ajouter une récurrence',
    change: 'Modifier la récurrence',
    save: 'Enregistrer',
    saved: 'Récurrence enregistrée.',
    pause: 'Suspendre la récurrence',
    paused: 'Récurrence mise en pause.',
    resume: 'Reprendre la récurrence',
    resumed: 'Récurrence reprise.',
    remove: 'Supprimer la récurrence',
    removeTitle: 'Supprimer cette récurrence ?',
    removeEffect: 'Plus aucune copie n’est envoyée. Le brouillon et les campagnes envoyées sont conservés.',
    removed: 'Récurrence supprimée.',
    every: 'Fréquence',
    periods: { day: 'Chaque jour', week: 'Chaque semaine', month: 'Chaque mois' },
    weekday: 'Jours',
    weekdays: WEEKDAYS,
    day: 'Jour du mois',
    dayHint: 'Si le mois est plus court, c’est son dernier jour.',
    time: 'Heure',
    timezone: 'Fuseau horaire',
    startsOn: 'Première date (facultatif)',
    endsOn: 'Dernière date (facultatif)',
    count: 'Nombre de campagnes (facultatif)',
    useTemplate: 'Utiliser le contenu du modèle tel qu’il est à ce moment-là',
  },
  archive: {
    title: 'Archive publique',
    lead: 'Une page web et un flux Atom avec les campagnes que vous rendez publiques.',
    show: 'Afficher cette campagne dans l’archive publique',
    onceSent: 'Elle y apparaît une fois envoyée.',
    shown: 'La campagne est publique.',
    hidden: 'La campagne n’est plus publique.',
    openCampaign: 'Ouvrir cette campagne dans l’archive',
    openArchive: 'Ouvrir l’archive',
    openFeed: 'Flux Atom',
    off: 'L’archive de ce projet est désactivée. <link>L’activer dans les paramètres</link>',
    offForMembers:
      'L’archive de ce projet est désactivée. Les propriétaires et les admins peuvent l’activer dans les paramètres.',
  },
  send: {
    open: 'Envoyer la campagne',
    changeTime: 'Modifier l’heure',
    openScheduled: 'Envoyer ou reprogrammer la campagne',
    title: (name) => `Envoyer « ${name} »`,
    when: 'Quand',
    times: { now: { title: 'Maintenant' }, later: { title: 'Programmer pour plus tard' } },
    dateTime: 'Date et heure',
    timeZone: (zone) => `Votre fuseau horaire est ${zone}.`,
    submitNow: (count) => (count === undefined ? 'Envoyer la campagne' : `Envoyer à ${shared.contacts(count)}`),
    submitLater: (count) =>
      count === undefined ? 'Programmer la campagne' : `Programmer pour ${shared.contacts(count)}`,
    scheduled: 'Campagne programmée.',
    started: 'Campagne démarrée.',
  },
  live: {
    progress: (done, total) =>
      `${formatCount(done, { one: 'e-mail traité', other: 'e-mails traités' })} sur ${formatNumber(total)}`,
    paused: (done, total) => `En pause à ${formatNumber(done)} sur ${formatNumber(total)}`,
    pausedHint: 'Plus aucun e-mail n’est envoyé tant que vous ne reprenez pas la campagne.',
    waiting: {
      warmUp:
        'Le domaine d’envoi est en montée en charge et a envoyé ses e-mails marketing du jour. L’envoi reprend le <until/>.',
      quietHours: 'Ce sont les heures calmes du projet. L’envoi reprend le <until/>.',
    },
    nextWave: 'Les e-mails prévus jusqu’ici sont envoyés. L’envoi reprend le <until/>.',
    winner: 'Le test de l’expérience est envoyé. Le reste attend la gagnante.',
    rate: (perSecond) =>
      perSecond === undefined ? 'Mesure de la vitesse…' : `${formatCount(Math.round(perSecond), EMAILS)} par seconde`,
    timeLeft: (seconds) => {
      if (seconds === undefined) return 'Estimation du temps restant…'
      return seconds < 60 ? 'Temps restant : moins d’une minute' : `Temps restant : environ ${formatDuration(seconds)}`
    },
  },
  recipients: {
    title: 'Destinataires',
    column: { email: 'E-mail', status: 'Statut', opens: 'Ouvertures', clicks: 'Clics', sent: 'Envoi' },
    empty: 'Aucun destinataire avec ce statut.',
    total: (count) => formatCount(count, { one: 'destinataire', other: 'destinataires' }),
    retry: (count) => `Réessayer ${formatCount(count, { one: 'e-mail en échec', other: 'e-mails en échec' })}`,
    retried: (count) => `${formatCount(count, { one: 'e-mail remis', other: 'e-mails remis' })} en file d’attente.`,
  },
  report: {
    byHour: 'Ouvertures et clics par heure',
    byDay: 'Ouvertures et clics par jour',
    engagementLead: (since) =>
      `Depuis le début de l’envoi, le ${since}. Chaque destinataire est compté une fois, à sa première ouverture et à son premier clic.`,
    opened: 'Ouverts',
    clicked: 'Cliqués',
    time: 'Heure',
    interval: (at, opened, clicked) =>
      `${at} : ${formatCount(opened, { one: 'ouverture', other: 'ouvertures' })}, ${formatCount(clicked, { one: 'clic', other: 'clics' })}`,
    links: 'Liens',
    linksLead:
      'Destinataires ayant cliqué sur chaque lien, en proportion des e-mails livrés, comme pour le taux de clic. Un destinataire peut cliquer sur plusieurs liens.',
    link: 'Lien',
    clicks: 'Clics',
    bounces: 'Rebonds',
    bouncesLead: 'Regroupés par domaine du destinataire et par réponse du serveur destinataire.',
    domain: 'Domaine',
    count: 'E-mails',
    noReason: 'Aucun motif indiqué',
    bounceRate: 'Rebonds',
    thisCampaign: 'Cette campagne',
    comparison: (count) =>
      `Comparaison avec ${formatCount(count, { one: 'campagne antérieure', other: 'campagnes antérieures' })} au même âge`,
    comparisonLead: (age, opens, clicks) =>
      `Chacune ${age} après le début de l’envoi. Le taux d’ouverture est ${againstAverage(opens)}, et le taux de clic est ${againstAverage(clicks)}.`,
  },
  stats: {
    label: 'Statistiques',
    sent: 'Envoyés',
    delivered: 'Livrés',
    opened: 'Ouverts',
    clicked: 'Cliqués',
    bounced: 'Rebonds',
    unsubscribed: 'Désabonnements',
    complained: 'Plaintes pour spam',
    conversions: (count, share, revenue) =>
      `${formatCount(count, { one: 'conversion', other: 'conversions' })}, ${share} des e-mails livrés${revenue && `, pour une valeur de ${revenue}`}`,
    skipped: {
      frequencyCap: (count) =>
        `${formatCount(count, { one: 'e-mail ignoré', other: 'e-mails ignorés' })} en raison de la limite de fréquence`,
      sunset: (count) =>
        `${formatCount(count, { one: 'e-mail ignoré', other: 'e-mails ignorés' })} en raison de la règle d’inactivité`,
    },
  },
}
