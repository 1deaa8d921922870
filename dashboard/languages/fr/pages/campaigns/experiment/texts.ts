/** French texts of experiments: set-up in the campaign editor, and results on the page of the campaign. */

import { formatCount, formatList, formatMinutes, formatNumber, formatPercent } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/campaigns/experiment/texts.ts'
import type { Translation } from '../../../../translation.ts'

const recipients = (count: number) => formatCount(count, { one: 'destinataire', other: 'destinataires' })

/** "les 310 autres destinataires". */
const others = (count: number) =>
  count === 1 ? 'l’autre destinataire' : `les ${formatNumber(count)} autres destinataires`

const METRICS = { opens: 'taux d’ouverture', clicks: 'taux de clic', conversions: 'taux de conversion' }

export const experiment: Translation<typeof english.experimentTexts> = {
  title: 'Expérience (test A/B)',
  setup: {
    lead: 'Envoyez des variantes à une partie de l’audience, et la meilleure d’entre elles au reste.',
    empty:
      'Découvrez quel objet, quel expéditeur ou quel contenu fonctionne le mieux avant que la plupart des gens ne reçoivent l’e-mail. Une petite partie de l’audience reçoit les variantes au hasard ; quelques heures plus tard, tous les autres reçoivent la gagnante. Il vous faut au moins 200 destinataires.',
    add: 'Ajouter une expérience',
    remove: 'Retirer l’expérience',
    timed:
      'Cette campagne est programmée avec une heure propre à chaque destinataire, ce qui est incompatible avec une expérience. Pour en ajouter une, modifiez d’abord l’heure d’envoi.',
    parts: 'Ce qui diffère',
    partLabels: { subject: 'Objet', sender: 'Expéditeur', preheader: 'Préheader', content: 'Contenu' },
    noParts: 'Choisissez au moins un élément. Pour savoir ce qui a fait la différence, n’en choisissez qu’un.',
    onePart: 'Pour savoir ce qui a fait la différence, testez une seule chose à la fois.',
    variant: (name) => `Variante ${name}`,
    name: 'Nom',
    removeVariant: (name) => `Retirer la variante ${name}`,
    addVariant: 'Ajouter une variante',
    mostVariants: (count) => `Une expérience compte au plus ${count} variantes.`,
    asCampaign: 'Vide : comme dans la campagne',
    subject: 'Objet',
    from: 'Expéditeur',
    fromName: 'Nom de l’expéditeur',
    preheader: 'Préheader',
    contentBelow:
      'Chaque variante peut avoir son propre contenu. Les boutons au-dessus du contenu indiquent celle que vous modifiez.',
    same: (first, second) =>
      `${first} et ${second} sont identiques pour l’instant. Modifiez l’une des deux, sinon le test n’aura pas de résultat.`,
    share: 'Part de l’audience qui participe au test',
    shareValue: (share) => formatPercent(share / 100, 0),
    split: (variants, each, rest) =>
      `${formatNumber(variants)} variantes à environ ${recipients(each)} chacune, et la gagnante ${
        rest === 1 ? 'à l’autre' : `aux ${formatNumber(rest)} autres`
      }.`,
    splitUnknown: (variants, share) =>
      `${formatNumber(variants)} variantes à ${formatPercent(share / 100, 0)} de l’audience, et la gagnante aux ${formatPercent(1 - share / 100, 0)} restants.`,
    rest: 'Gagnante',
    tooSmall: (test, most, needed) =>
      needed === undefined
        ? `Le test compterait ${recipients(test)} ; il en faut au moins ${most}. Choisissez une audience d’au moins ${most * 2} contacts.`
        : `Le test compterait ${recipients(test)} ; il en faut au moins ${most}. Augmentez la part à ${formatPercent(needed / 100, 0)} ou plus.`,
    metric: 'Critère de la gagnante',
    metrics: {
      opens: {
        title: 'Ouvertures',
        hint: 'Pour les objets, expéditeurs et préheaders. Les ouvertures par des machines ne comptent pas.',
      },
      clicks: {
        title: 'Clics',
        hint: 'Pour le contenu. Les clics des logiciels d’analyse de liens ne comptent pas.',
      },
      conversions: { title: 'Conversions', hint: 'Un événement, comme un achat, qui suit un clic.' },
    },
    conversionEvent: 'Événement qui compte comme conversion',
    wait: 'Durée du test',
    waitHint: 'De 15 minutes à 7 jours à partir du début. La plupart des gens ouvrent un e-mail en quelques heures.',
    unit: 'Unité',
    units: { minute: 'minutes', hour: 'heures', day: 'jours' },
    selection: 'Qui choisit la gagnante',
    selections: {
      automatic: {
        title: 'Posthorn, à la fin du test',
        hint: 'Le reste de l’audience reçoit la gagnante sans autre intervention.',
      },
      manual: {
        title: 'Vous, manuellement',
        hint: 'Le reste de l’audience attend que vous choisissiez sur la page de la campagne.',
      },
    },
  },
  content: {
    label: 'Contenu pour',
    campaign: 'Campagne',
    as: (name) => `La variante ${name} a le contenu de la campagne.`,
    own: (name) => `Rédiger un autre contenu pour ${name}`,
    ownHint: 'Au départ, c’est une copie du contenu de la campagne.',
    reset: 'Utiliser le contenu de la campagne',
    wasReset: (name) => `La variante ${name} a de nouveau le contenu de la campagne.`,
  },
  results: {
    summary: (share, metric, waitMinutes, selection) => {
      const test = `${formatPercent(share / 100, 0)} de l’audience reçoit une variante.`
      const wait = formatMinutes(waitMinutes)
      return selection === 'automatic'
        ? `${test} Après ${wait}, celle qui a le meilleur ${METRICS[metric]} est envoyée au reste.`
        : `${test} Après ${wait}, vous choisissez celle qui est envoyée au reste.`
    },
    none: 'Découvrez quel objet, quel expéditeur ou quel contenu fonctionne le mieux : des variantes sont envoyées à une partie de l’audience, et la meilleure au reste.',
    add: 'Configurer une expérience',
    change: 'Modifier l’expérience',
    badge: 'Test A/B',
    statuses: {
      draft: 'Non démarrée',
      testing: 'Test en cours',
      deciding: 'En attente d’une gagnante',
      sending: 'Envoi de la gagnante',
      done: 'Terminée',
    },
    testing: 'Le test se poursuit jusqu’au <time/>.',
    next: {
      automatic: (metric, rest) =>
        `Ensuite, ${others(rest)} ${rest === 1 ? 'reçoit' : 'reçoivent'} la variante qui a le meilleur ${METRICS[metric]}. Vous pouvez aussi en choisir une dès maintenant.`,
      manual: (rest) =>
        rest === 1
          ? 'L’autre destinataire attend que vous choisissiez une variante. Vous pouvez le faire à tout moment.'
          : `Les ${formatNumber(rest)} autres destinataires attendent que vous choisissiez une variante. Vous pouvez le faire à tout moment.`,
    },
    over: (rest) =>
      `Le test est terminé. Choisissez la variante que ${rest === 1 ? 'recevra' : 'recevront'} ${others(rest)}.`,
    deciding: 'Le test est terminé. La gagnante est choisie dès que tous ses e-mails sont envoyés.',
    decided: {
      system: (name) => `La variante ${name} a été choisie automatiquement (<time/>).`,
      user: (name, who) => `La variante ${name} a été choisie par ${who} (<time/>).`,
      key: (name, who) => `La variante ${name} a été choisie avec la clé API « ${who} » (<time/>).`,
    },
    canceled: 'La campagne a été annulée avant le choix d’une gagnante. Le reste de l’audience n’a rien reçu.',
    conclusion: {
      none: 'Il n’y a pas encore de résultats.',
      ahead: (name, probability) =>
        `${name} est en tête : c’est la meilleure variante avec une probabilité de ${formatPercent(probability, 0)}.`,
      equal: (names) => `${formatList(names)} sont à égalité pour l’instant.`,
      close: (name, needed) =>
        needed === null
          ? `${name} est en tête, mais avec un écart si faible que même un million de destinataires de plus ne suffirait pas.`
          : `${name} est en tête, mais avec un écart trop faible pour conclure. Il faudrait encore ${recipients(needed)}.`,
      won: (name) => `${name} a gagné.`,
      chosen: (name) =>
        `${name} a été choisie, mais l’écart entre les variantes est trop faible pour être sûr que c’est la meilleure.`,
    },
    inconclusive:
      'Pour un résultat plus net la prochaine fois, testez des variantes plus différentes ou une plus grande part de l’audience.',
    table: 'Résultats par variante',
    column: {
      variant: 'Variante',
      sent: 'Envoyés',
      opens: 'Ouverts',
      clicks: 'Cliqués',
      conversions: 'Convertis',
      best: 'Probabilité d’être la meilleure',
      bestShort: 'Meilleure',
    },
    differs: 'Différences',
    asCampaign: 'Comme dans la campagne',
    ownContent: 'Contenu propre',
    from: (from) => `De ${from}`,
    preheader: (preheader) => `Préheader : ${preheader}`,
    winner: 'Gagnante',
    bestHint:
      'Probabilité que cette variante ait le meilleur taux, d’après les chiffres actuels. Au-dessus de 80 %, la gagnante est considérée comme nette.',
    choose: 'Envoyer au reste',
    chooseNamed: (name) => `Envoyer au reste : ${name}`,
    chooseTitle: (name) => `Envoyer ${name} au reste de l’audience ?`,
    chooseEffect: (rest) =>
      `Cela met fin au test. ${formatCount(rest, {
        one: 'destinataire reçoit cette variante maintenant, sauf s’il s’est désabonné entre-temps',
        other: 'destinataires reçoivent cette variante maintenant, sauf ceux qui se sont désabonnés entre-temps',
      })}. Cette action est irréversible.`,
    chosen: (name) => `${name} est envoyée au reste de l’audience.`,
    preview: 'Variante',
  },
}
