/** French texts of the settings about marketing email. */

import { formatCount } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/settings/sending/texts.ts'
import type { Translation } from '../../../../translation.ts'

export const sending: Translation<typeof english.sendingTexts> = {
  sending: {
    on: (title) => `Activer « ${title} »`,
    save: 'Enregistrer',
    saved: (title) => `Réglage « ${title} » enregistré.`,
    sunset: {
      counting: 'Décompte des contacts…',
      stops: (count) =>
        count === 0
          ? 'Cette règle n’arrêterait les e-mails marketing pour aucun contact actuellement.'
          : `Cette règle arrêterait actuellement les e-mails marketing pour <strong>${formatCount(count, { one: 'contact', other: 'contacts' })}</strong>.`,
      tooLong:
        'Le décompte des contacts que cette règle arrêterait prend trop de temps. Chacun est tout de même évalué avant l’envoi d’un e-mail.',
      advice: 'Avant de l’activer, interrogez-les avec le modèle <link>Souhaitez-vous rester ?</link>',
    },
    settings: {
      quietHours: {
        title: 'Heures calmes',
        lead: 'Les e-mails marketing attendent la fin de ces heures. Les e-mails transactionnels n’attendent pas.',
        fields: { from: 'De', to: 'À', timezone: 'Fuseau horaire' },
      },
      frequencyCap: {
        title: 'Limite de fréquence',
        lead: 'Un contact ne reçoit pas plus d’e-mails marketing que ce nombre. Les suivants sont ignorés, et la campagne indique combien.',
        fields: { emails: 'E-mails', days: 'Jours' },
      },
      sunset: {
        title: 'Règle d’inactivité',
        lead: 'Les contacts qui n’ouvrent rien et ne cliquent sur rien ne reçoivent plus d’e-mails marketing. Ils restent abonnés ; l’ouverture d’un e-mail antérieur, un clic dedans ou la désactivation de la règle y met fin.',
        fields: { emails: 'E-mails sans ouverture ni clic', days: 'En autant de jours' },
      },
      sendGuard: {
        title: 'Protection des envois',
        lead: 'Met une campagne en pause quand trop de ses e-mails font l’objet d’un rebond ou sont signalés comme spam, et avertit les propriétaires et les admins.',
        fields: {
          bounceRate: 'Rebonds, en pourcentage',
          complaintRate: 'Plaintes pour spam, en pourcentage',
          minimum: 'E-mails avant l’évaluation',
        },
      },
      softBounces: {
        title: 'Limite de rebonds temporaires',
        lead: 'Exclut une adresse après plusieurs échecs temporaires de suite, par exemple une boîte qui reste pleine.',
        fields: { count: 'Rebonds de suite', days: 'Sur au moins autant de jours' },
      },
      utm: {
        title: 'Paramètres UTM',
        lead: 'Ajoutés aux liens des e-mails marketing qui n’en ont pas, pour que votre outil d’analyse web montre d’où viennent les visiteurs. Vous pouvez utiliser des variables, comme {{ campaign.name }}.',
        fields: { source: 'Source', medium: 'Support', campaign: 'Campagne' },
      },
      conversion: {
        title: 'Suivi des conversions',
        lead: 'Un événement que vous suivez, comme un achat, compte pour le dernier e-mail dans lequel le contact a cliqué. Les champs « value » et « currency » de ses données sont additionnés comme chiffre d’affaires.',
        fields: { event: 'Événement', days: 'Jours après le clic' },
      },
      archive: {
        title: 'Archive publique',
        lead: 'Une page publique avec les campagnes que vous rendez publiques, et leur flux Atom.',
        fields: { slug: 'Nom dans l’adresse', title: 'Titre' },
      },
    },
  },
}
