/**
 * The confirmation email and its pages, in the languages of the preference pages. `{project}` and `{email}` are replaced.
 * The texts avoid grammatical forms that depend on the recipient's gender.
 */
import type { Language } from '../../audience/preferences/actions.ts'

export interface ConfirmationTexts {
  subject: string
  text: string
  button: string
  /** For someone who didn't subscribe. */
  ignore: string
  question: string
  done: { title: string; text: string }
  used: { title: string; text: string }
  expired: { title: string; text: string }
}

export const CONFIRMATION_TEXTS: Record<Language, ConfirmationTexts> = {
  en: {
    subject: 'Confirm your subscription to {project}',
    text: 'Please confirm that {email} should receive newsletters and offers from {project}.',
    button: 'Confirm subscription',
    ignore: 'If you didn’t subscribe, ignore this email. You won’t receive anything else.',
    question: 'Confirm your subscription?',
    done: {
      title: 'Your subscription is confirmed',
      text: '{email} now receives newsletters and offers from {project}.',
    },
    used: { title: 'This link has already been used', text: 'There is nothing left to confirm.' },
    expired: {
      title: 'This link has expired',
      text: 'Links to confirm a subscription work for 7 days. Please subscribe again.',
    },
  },
  de: {
    subject: 'Bitte bestätigen Sie Ihr Abonnement von {project}',
    text: 'Bitte bestätigen Sie, dass {email} Newsletter und Angebote von {project} erhalten soll.',
    button: 'Abonnement bestätigen',
    ignore: 'Wenn Sie nichts abonniert haben, ignorieren Sie diese E-Mail. Sie erhalten dann keine weiteren.',
    question: 'Abonnement bestätigen?',
    done: {
      title: 'Ihr Abonnement ist bestätigt',
      text: '{email} erhält jetzt Newsletter und Angebote von {project}.',
    },
    used: { title: 'Dieser Link wurde bereits verwendet', text: 'Es gibt nichts mehr zu bestätigen.' },
    expired: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Links zur Bestätigung gelten 7 Tage. Bitte abonnieren Sie erneut.',
    },
  },
  fr: {
    subject: 'Confirmez votre abonnement à {project}',
    text: 'Veuillez confirmer que {email} souhaite recevoir les newsletters et les offres de {project}.',
    button: 'Confirmer l’abonnement',
    ignore: 'Si vous n’avez rien demandé, ignorez cet e-mail. Vous n’en recevrez pas d’autre.',
    question: 'Confirmer votre abonnement ?',
    done: {
      title: 'Votre abonnement est confirmé',
      text: '{email} reçoit désormais les newsletters et les offres de {project}.',
    },
    used: { title: 'Ce lien a déjà été utilisé', text: 'Il n’y a plus rien à confirmer.' },
    expired: {
      title: 'Ce lien a expiré',
      text: 'Les liens de confirmation sont valables 7 jours. Veuillez vous abonner à nouveau.',
    },
  },
  es: {
    subject: 'Confirma tu suscripción a {project}',
    text: 'Confirma que {email} quiere recibir boletines y ofertas de {project}.',
    button: 'Confirmar suscripción',
    ignore: 'Si no has solicitado nada, ignora este correo. No recibirás ningún otro.',
    question: '¿Confirmar tu suscripción?',
    done: { title: 'Tu suscripción está confirmada', text: '{email} recibe ahora boletines y ofertas de {project}.' },
    used: { title: 'Este enlace ya se ha utilizado', text: 'No queda nada por confirmar.' },
    expired: {
      title: 'Este enlace ha caducado',
      text: 'Los enlaces de confirmación son válidos durante 7 días. Vuelve a suscribirte.',
    },
  },
  it: {
    subject: 'Conferma l’iscrizione a {project}',
    text: 'Conferma che {email} desidera ricevere newsletter e offerte da {project}.',
    button: 'Conferma iscrizione',
    ignore: 'Se non hai richiesto nulla, ignora questa email. Non ne riceverai altre.',
    question: 'Confermare l’iscrizione?',
    done: { title: 'La tua iscrizione è confermata', text: '{email} ora riceve newsletter e offerte da {project}.' },
    used: { title: 'Questo link è già stato usato', text: 'Non c’è altro da confermare.' },
    expired: {
      title: 'Questo link è scaduto',
      text: 'I link di conferma valgono 7 giorni. Effettua di nuovo l’iscrizione.',
    },
  },
  nl: {
    subject: 'Bevestig je inschrijving bij {project}',
    text: 'Bevestig dat {email} nieuwsbrieven en aanbiedingen van {project} wil ontvangen.',
    button: 'Inschrijving bevestigen',
    ignore: 'Heb je je niet ingeschreven? Negeer deze e-mail dan. Je ontvangt verder niets.',
    question: 'Inschrijving bevestigen?',
    done: {
      title: 'Je inschrijving is bevestigd',
      text: '{email} ontvangt nu nieuwsbrieven en aanbiedingen van {project}.',
    },
    used: { title: 'Deze link is al gebruikt', text: 'Er valt niets meer te bevestigen.' },
    expired: { title: 'Deze link is verlopen', text: 'Bevestigingslinks zijn 7 dagen geldig. Schrijf je opnieuw in.' },
  },
  pt: {
    subject: 'Confirme a subscrição de {project}',
    text: 'Confirme que {email} pretende receber newsletters e ofertas de {project}.',
    button: 'Confirmar subscrição',
    ignore: 'Se não pediu nada, ignore este e-mail. Não receberá mais nenhum.',
    question: 'Confirmar a subscrição?',
    done: {
      title: 'A sua subscrição está confirmada',
      text: '{email} recebe agora newsletters e ofertas de {project}.',
    },
    used: { title: 'Esta ligação já foi utilizada', text: 'Não há mais nada para confirmar.' },
    expired: {
      title: 'Esta ligação expirou',
      text: 'As ligações de confirmação são válidas durante 7 dias. Volte a subscrever.',
    },
  },
  pl: {
    subject: 'Potwierdź subskrypcję {project}',
    text: 'Potwierdź, że adres {email} ma otrzymywać newslettery i oferty od {project}.',
    button: 'Potwierdź subskrypcję',
    ignore: 'Jeśli to pomyłka, zignoruj tę wiadomość. Nie wyślemy kolejnych.',
    question: 'Potwierdzić subskrypcję?',
    done: {
      title: 'Subskrypcja została potwierdzona',
      text: '{email} otrzymuje teraz newslettery i oferty od {project}.',
    },
    used: { title: 'Ten link został już użyty', text: 'Nie ma już nic do potwierdzenia.' },
    expired: { title: 'Ten link wygasł', text: 'Linki potwierdzające są ważne 7 dni. Zapisz się ponownie.' },
  },
  sv: {
    subject: 'Bekräfta din prenumeration på {project}',
    text: 'Bekräfta att {email} ska få nyhetsbrev och erbjudanden från {project}.',
    button: 'Bekräfta prenumerationen',
    ignore: 'Om du inte har anmält dig kan du bortse från det här mejlet. Du får inga fler.',
    question: 'Bekräfta din prenumeration?',
    done: {
      title: 'Din prenumeration är bekräftad',
      text: '{email} får nu nyhetsbrev och erbjudanden från {project}.',
    },
    used: { title: 'Länken har redan använts', text: 'Det finns inget mer att bekräfta.' },
    expired: { title: 'Länken har gått ut', text: 'Bekräftelselänkar gäller i 7 dagar. Anmäl dig igen.' },
  },
  da: {
    subject: 'Bekræft dit abonnement på {project}',
    text: 'Bekræft, at {email} skal modtage nyhedsbreve og tilbud fra {project}.',
    button: 'Bekræft abonnementet',
    ignore: 'Hvis du ikke har tilmeldt dig, kan du se bort fra denne e-mail. Du modtager ikke flere.',
    question: 'Bekræft dit abonnement?',
    done: { title: 'Dit abonnement er bekræftet', text: '{email} modtager nu nyhedsbreve og tilbud fra {project}.' },
    used: { title: 'Linket er allerede brugt', text: 'Der er ikke mere at bekræfte.' },
    expired: { title: 'Linket er udløbet', text: 'Bekræftelseslinks gælder i 7 dage. Tilmeld dig igen.' },
  },
  ja: {
    subject: '{project} の購読をご確認ください',
    text: '{email} で {project} のニュースレターとお知らせを受け取ることをご確認ください。',
    button: '購読を確認する',
    ignore: 'お心当たりがない場合は、このメールを無視してください。今後メールは届きません。',
    question: '購読を確認しますか？',
    done: { title: '購読が確認されました', text: '{email} に {project} のニュースレターとお知らせが届きます。' },
    used: { title: 'このリンクはすでに使用されています', text: '確認することはもうありません。' },
    expired: {
      title: 'このリンクは期限切れです',
      text: '確認リンクの有効期限は7日間です。もう一度購読の手続きをしてください。',
    },
  },
  zh: {
    subject: '请确认订阅 {project}',
    text: '请确认 {email} 希望接收 {project} 的新闻和优惠信息。',
    button: '确认订阅',
    ignore: '如果您没有订阅，请忽略此邮件。您不会再收到其他邮件。',
    question: '确认订阅？',
    done: { title: '订阅已确认', text: '{email} 现在会收到 {project} 的新闻和优惠信息。' },
    used: { title: '此链接已被使用', text: '没有需要确认的内容。' },
    expired: { title: '此链接已过期', text: '确认链接的有效期为 7 天。请重新订阅。' },
  },
}
