/** French texts of the checks of an email, of the postal address and of the image library. */

import { formatCount, formatNumber } from '../../../figures/format.ts'
import type * as english from '../../../mail/texts.ts'
import type { Translation } from '../../translation.ts'

export const check: Translation<typeof english.checkTexts> = {
  title: 'Vérifications',
  running: 'Vérification…',
  notWritten: 'Rédigez un objet pour vérifier les liens, les images, le texte et le HTML de cet e-mail.',
  failed: 'Échec des vérifications',
  none: 'Aucun problème détecté',
  passed: 'Vérifications réussies',
  allPassed: 'Toutes les vérifications ont réussi.',
  areas: {
    subject: 'Objet',
    preheader: 'Préheader',
    links: 'Liens',
    images: 'Images et leur texte alternatif',
    wording: 'Texte et formulation',
    variables: 'Variables',
    unsubscribe: 'Lien de désabonnement',
    address: 'Adresse postale',
    contrast: 'Contraste du texte',
    clients: 'Compatibilité des messageries',
    size: 'Taille de l’e-mail',
  },
  counts: {
    error: (count) => formatCount(count, { one: 'erreur', other: 'erreurs' }),
    warning: (count) => formatCount(count, { one: 'avertissement', other: 'avertissements' }),
    info: (count) => formatCount(count, { one: 'remarque', other: 'remarques' }),
  },
  severities: { error: 'Erreur', warning: 'Avertissement', info: 'Remarque' },
  sample: (contacts) =>
    `D’après un échantillon de ${formatCount(contacts, { one: 'destinataire', other: 'destinataires' })}.`,
  variant: (name) => `Variante ${name} : `,
  showBlock: 'Afficher le bloc',
  where: (field, line) => {
    if (line !== undefined) return `Ligne ${formatNumber(line)}.`
    return { subject: 'Trouvé dans l’objet.', preheader: 'Trouvé dans le préheader.' }[field ?? ''] ?? ''
  },
}

export const address: Translation<typeof english.addressTexts> = {
  title: 'Où figure votre adresse postale ?',
  lead: 'De nombreux pays l’exigent dans les e-mails marketing. Saisissez-la une fois pour tous les e-mails du projet, ou indiquez que vos e-mails la contiennent.',
  askAdmin:
    'De nombreux pays l’exigent dans les e-mails marketing. Demandez à un admin du projet de la saisir dans Paramètres, Identité visuelle.',
  address: 'Adresse postale',
  placeholder: 'Entreprise, rue, ville, pays',
  save: 'L’afficher dans le pied de page',
  inContent: 'Mes e-mails la contiennent',
}

export const library: Translation<typeof english.imageLibraryTexts> = {
  open: 'Choisir dans la bibliothèque',
  title: 'Bibliothèque d’images',
  noMatch: 'Aucune image ne correspond.',
  size: (width, height) => `${formatNumber(width)} × ${formatNumber(height)}`,
  more: (shown) => `Les ${formatNumber(shown)} images les plus récentes sont affichées. Recherchez-en d’autres.`,
}
