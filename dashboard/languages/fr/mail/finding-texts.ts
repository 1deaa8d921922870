/** French texts of what the checks of an email find, by code: what is wrong, and how to fix it. */

import type { FindingTexts } from '../../../mail/finding-texts.ts'

export const finding: FindingTexts = {
  'check.stopped': {
    problem: 'La vérification a pris trop de temps et a été interrompue.',
    fix: 'Raccourcissez l’e-mail ou utilisez moins d’éléments.',
  },
  'audience.empty': {
    problem: 'Aucun contact de cette audience ne recevrait l’e-mail.',
    fix: 'Choisissez une autre audience.',
  },
  'variable.missing': {
    problem: 'Il manque une valeur à certains destinataires',
    fix: 'Ajoutez une valeur de repli ou n’affichez le texte que s’il y a une valeur.',
  },
  'variable.unknown': {
    problem: 'Aucun contact n’a ce champ',
    fix: 'Vérifiez le nom, ajoutez une valeur de repli ou envoyez la valeur dans `data` avec chaque e-mail.',
  },
  'client.unsupported': {
    problem: 'Certaines messageries ne prennent pas en charge cet élément',
    fix: 'Remplacez-le par quelque chose de plus simple, par exemple un tableau, une image ou un lien.',
  },
  'contrast.low': {
    problem: 'Un texte se détache trop peu du fond',
    fix: 'Choisissez une couleur plus foncée ou plus claire.',
  },
  'image.alt': {
    problem: 'Une image n’a pas de texte alternatif',
    fix: 'Décrivez l’image dans son texte alternatif ou indiquez qu’elle est décorative.',
  },
  'text.sample': {
    problem: 'Un texte de la galerie n’a pas été modifié',
    fix: 'Remplacez le texte d’exemple par le vôtre ou retirez le bloc.',
  },
  'link.empty': { problem: 'Un lien n’a pas d’URL.', fix: 'Saisissez l’URL d’une page ou retirez le lien.' },
  'link.unsafe': {
    problem: 'Un lien exécute du code ou ouvre un fichier local. Les messageries le bloquent',
    fix: 'Utilisez une URL qui commence par https://.',
  },
  'link.relative': {
    problem: 'Un lien n’a pas de domaine et ne fonctionne donc pas dans un e-mail',
    fix: 'Utilisez l’URL complète, qui commence par https://.',
  },
  'link.broken': { problem: 'Une URL n’est pas valide', fix: 'Vérifiez que l’URL ne contient pas de faute de frappe.' },
  'link.example': { problem: 'Un lien mène à un domaine d’exemple', fix: 'Saisissez l’URL de votre propre page.' },
  'link.private': {
    problem: 'Un lien mène à une adresse privée, que les destinataires ne peuvent pas ouvrir',
    fix: 'Utilisez l’URL publique de la page.',
  },
  'link.insecure': {
    problem: 'Un lien n’est pas chiffré. Les navigateurs affichent un avertissement pour ces pages',
    fix: 'Utilisez https:// au lieu de http://.',
  },
  'image.empty': { problem: 'Une image n’a pas d’URL.', fix: 'Choisissez une image ou retirez-la.' },
  'image.embedded': {
    problem: 'Une image est intégrée sous forme d’URL data:, que Gmail n’affiche pas.',
    fix: 'Importez l’image et utilisez son URL.',
  },
  'image.broken': {
    problem: 'Une image n’a pas d’URL valide',
    fix: 'Utilisez l’URL complète, qui commence par https://.',
  },
  'image.private': {
    problem: 'Une image se trouve sur une adresse privée, les destinataires ne la voient donc pas',
    fix: 'Importez l’image et utilisez son URL.',
  },
  'image.insecure': {
    problem: 'Une image n’est pas chiffrée, certaines messageries ne l’affichent donc pas',
    fix: 'Utilisez https:// au lieu de http://.',
  },
  'image.large': {
    problem: 'Une image est si lourde qu’elle se charge lentement sur les téléphones',
    fix: 'Utilisez une image plus petite ou plus compressée.',
  },
  'unsubscribe.missing': {
    problem:
      'L’e-mail n’a pas de lien de désabonnement. Les e-mails headless n’ont pas de pied de page, et les e-mails marketing exigent un lien.',
    fix: 'Ajoutez un lien vers {{unsubscribeUrl}} ou utilisez le type « Marketing ».',
  },
  'address.missing': {
    problem: 'Il manque l’adresse postale, que de nombreux pays exigent dans les e-mails marketing.',
    fix: 'Saisissez l’adresse dans les paramètres de la marque, ou indiquez-y que vos e-mails la contiennent.',
  },
  'spam.phrase': {
    problem: 'Les filtres antispam recherchent cette expression',
    fix: 'Employez d’autres mots. De telles expressions augmentent le score de spam d’un e-mail.',
  },
  'body.empty': { problem: 'L’e-mail est vide.', fix: 'Ajoutez du contenu.' },
  'text.little': {
    problem:
      'L’e-mail contient très peu de texte. Les filtres antispam refusent souvent les e-mails composés d’images et, si les images sont bloquées, rien ne s’affiche.',
    fix: 'Écrivez l’essentiel sous forme de texte.',
  },
  'size.clipped': {
    problem: 'Le HTML est si long que Gmail coupe la fin de l’e-mail.',
    fix: 'Raccourcissez l’e-mail ou déplacez-en une partie vers une page web.',
  },
  'subject.empty': { problem: 'L’objet est vide.', fix: 'Écrivez un objet.' },
  'subject.long': {
    problem: 'L’objet est si long que les téléphones n’en affichent que le début.',
    fix: 'Raccourcissez-le et commencez par les mots les plus importants.',
  },
  'subject.capitals': {
    problem: 'L’objet est écrit en majuscules.',
    fix: 'Écrivez-le en minuscules, comme une phrase ordinaire.',
  },
  'subject.punctuation': {
    problem: 'L’objet contient plusieurs points d’exclamation ou d’interrogation.',
    fix: 'Utilisez-en un au maximum.',
  },
  'subject.reply': {
    problem: 'L’objet ressemble à une réponse ou à un transfert.',
    fix: 'Retirez « Re: » ou « Fwd: ». Les destinataires et les filtres le jugent trompeur.',
  },
  'preheader.missing': {
    problem: 'Il n’y a pas de préheader. Les boîtes de réception affichent à la place les premiers mots de l’e-mail.',
    fix: 'Écrivez un préheader qui complète l’objet.',
  },
  'preheader.long': {
    problem: 'Le préheader est si long que les boîtes de réception n’en affichent que le début.',
    fix: 'Raccourcissez-le.',
  },
  'preheader.repeated': { problem: 'Le préheader répète l’objet.', fix: 'Écrivez un préheader qui complète l’objet.' },
}
