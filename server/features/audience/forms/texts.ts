/**
 * The texts of forms that their owners haven't written, in the languages of the preference pages. `{project}` is replaced.
 * The texts avoid grammatical forms that depend on the visitor's gender.
 */
import type { Language } from '../preferences/actions.ts'

interface Message {
  title: string
  text: string
}

export interface FormTexts {
  title: string
  button: string
  email: string
  /** Beside the label of a field that isn't required. */
  optional: string
  /** The first entry of a select. */
  choose: string
  /** After a submission. It is the same for every address. */
  thanks: Message
  /** After a submission, if the form asks for a confirmation. */
  confirm: Message
  closed: Message
  /** Shown beside a field. */
  required: string
  invalid: string
  address: string
  captcha: string
  /** Shown above the form. */
  failed: string
  many: string
}

export const FORM_TEXTS: Record<Language, FormTexts> = {
  en: {
    title: 'Subscribe to {project}',
    button: 'Subscribe',
    email: 'Email',
    optional: '(optional)',
    choose: 'Choose…',
    thanks: { title: 'Thank you', text: 'Your sign-up was received.' },
    confirm: {
      title: 'Almost done',
      text: 'Check your inbox, and confirm your subscription with the link in our email.',
    },
    closed: { title: 'This form is closed', text: 'It no longer accepts sign-ups.' },
    required: 'Fill in this field.',
    invalid: 'Check this entry.',
    address: 'Enter an email address.',
    captcha: 'Confirm that you’re not a robot.',
    failed: 'Your sign-up could not be sent. Try again in a moment.',
    many: 'Too many attempts. Try again in a minute.',
  },
  de: {
    title: '{project} abonnieren',
    button: 'Abonnieren',
    email: 'E-Mail',
    optional: '(freiwillig)',
    choose: 'Bitte wählen …',
    thanks: { title: 'Vielen Dank', text: 'Ihre Anmeldung ist eingegangen.' },
    confirm: {
      title: 'Fast geschafft',
      text: 'Bitte öffnen Sie Ihr Postfach und bestätigen Sie das Abonnement mit dem Link in unserer E-Mail.',
    },
    closed: { title: 'Dieses Formular ist geschlossen', text: 'Es nimmt keine Anmeldungen mehr an.' },
    required: 'Bitte füllen Sie dieses Feld aus.',
    invalid: 'Bitte prüfen Sie diese Angabe.',
    address: 'Bitte geben Sie eine E-Mail-Adresse ein.',
    captcha: 'Bitte bestätigen Sie, dass Sie kein Roboter sind.',
    failed: 'Die Anmeldung konnte nicht gesendet werden. Bitte versuchen Sie es gleich noch einmal.',
    many: 'Zu viele Versuche. Bitte versuchen Sie es in einer Minute noch einmal.',
  },
  fr: {
    title: 'S’abonner à {project}',
    button: 'S’abonner',
    email: 'E-mail',
    optional: '(facultatif)',
    choose: 'Choisir…',
    thanks: { title: 'Merci', text: 'Votre inscription a bien été reçue.' },
    confirm: {
      title: 'C’est presque terminé',
      text: 'Consultez votre boîte de réception et confirmez l’abonnement avec le lien de notre e-mail.',
    },
    closed: { title: 'Ce formulaire est fermé', text: 'Il n’accepte plus d’inscriptions.' },
    required: 'Veuillez remplir ce champ.',
    invalid: 'Veuillez vérifier cette saisie.',
    address: 'Veuillez saisir une adresse e-mail.',
    captcha: 'Veuillez confirmer que vous n’êtes pas un robot.',
    failed: 'L’inscription n’a pas pu être envoyée. Veuillez réessayer dans un instant.',
    many: 'Trop de tentatives. Veuillez réessayer dans une minute.',
  },
  es: {
    title: 'Suscribirse a {project}',
    button: 'Suscribirse',
    email: 'Correo electrónico',
    optional: '(opcional)',
    choose: 'Elegir…',
    thanks: { title: 'Gracias', text: 'Hemos recibido tu suscripción.' },
    confirm: {
      title: 'Ya casi está',
      text: 'Abre tu bandeja de entrada y confirma la suscripción con el enlace de nuestro correo.',
    },
    closed: { title: 'Este formulario está cerrado', text: 'Ya no acepta suscripciones.' },
    required: 'Rellena este campo.',
    invalid: 'Revisa este dato.',
    address: 'Introduce una dirección de correo electrónico.',
    captcha: 'Confirma que no eres un robot.',
    failed: 'No se ha podido enviar la suscripción. Inténtalo de nuevo en un momento.',
    many: 'Demasiados intentos. Inténtalo de nuevo en un minuto.',
  },
  it: {
    title: 'Iscriviti a {project}',
    button: 'Iscriviti',
    email: 'Indirizzo email',
    optional: '(facoltativo)',
    choose: 'Scegli…',
    thanks: { title: 'Grazie', text: 'Abbiamo ricevuto la tua iscrizione.' },
    confirm: {
      title: 'Ci siamo quasi',
      text: 'Apri la posta in arrivo e conferma l’iscrizione con il link nella nostra email.',
    },
    closed: { title: 'Questo modulo è chiuso', text: 'Non accetta più iscrizioni.' },
    required: 'Compila questo campo.',
    invalid: 'Controlla questo dato.',
    address: 'Inserisci un indirizzo email.',
    captcha: 'Conferma di non essere un robot.',
    failed: 'Non è stato possibile inviare l’iscrizione. Riprova tra poco.',
    many: 'Troppi tentativi. Riprova tra un minuto.',
  },
  nl: {
    title: 'Aanmelden voor {project}',
    button: 'Aanmelden',
    email: 'E-mailadres',
    optional: '(optioneel)',
    choose: 'Kies…',
    thanks: { title: 'Bedankt', text: 'Je aanmelding is ontvangen.' },
    confirm: { title: 'Bijna klaar', text: 'Open je inbox en bevestig je inschrijving met de link in onze e-mail.' },
    closed: { title: 'Dit formulier is gesloten', text: 'Aanmelden is niet meer mogelijk.' },
    required: 'Vul dit veld in.',
    invalid: 'Controleer dit veld.',
    address: 'Vul een e-mailadres in.',
    captcha: 'Bevestig dat je geen robot bent.',
    failed: 'Je aanmelding kon niet worden verzonden. Probeer het zo opnieuw.',
    many: 'Te veel pogingen. Probeer het over een minuut opnieuw.',
  },
  pt: {
    title: 'Subscrever {project}',
    button: 'Subscrever',
    email: 'Endereço de e-mail',
    optional: '(opcional)',
    choose: 'Selecionar…',
    thanks: { title: 'Obrigado pela subscrição', text: 'Recebemos a sua inscrição.' },
    confirm: {
      title: 'Está quase',
      text: 'Abra a sua caixa de entrada e confirme a subscrição com a ligação no nosso e-mail.',
    },
    closed: { title: 'Este formulário está encerrado', text: 'Já não aceita inscrições.' },
    required: 'Preencha este campo.',
    invalid: 'Verifique este campo.',
    address: 'Introduza um endereço de e-mail.',
    captcha: 'Confirme que não é um robô.',
    failed: 'Não foi possível enviar a inscrição. Tente novamente dentro de momentos.',
    many: 'Demasiadas tentativas. Tente novamente dentro de um minuto.',
  },
  pl: {
    title: 'Zapisz się do {project}',
    button: 'Zapisz się',
    email: 'Adres e-mail',
    optional: '(opcjonalnie)',
    choose: 'Wybierz…',
    thanks: { title: 'Dziękujemy', text: 'Zgłoszenie zostało przyjęte.' },
    confirm: {
      title: 'Już prawie gotowe',
      text: 'Otwórz skrzynkę odbiorczą i potwierdź subskrypcję, klikając link w naszej wiadomości.',
    },
    closed: { title: 'Ten formularz jest zamknięty', text: 'Nie przyjmuje już zgłoszeń.' },
    required: 'Wypełnij to pole.',
    invalid: 'Sprawdź to pole.',
    address: 'Podaj adres e-mail.',
    captcha: 'Potwierdź, że nie jesteś robotem.',
    failed: 'Nie udało się wysłać zgłoszenia. Spróbuj ponownie za chwilę.',
    many: 'Zbyt wiele prób. Spróbuj ponownie za minutę.',
  },
  sv: {
    title: 'Prenumerera på {project}',
    button: 'Prenumerera',
    email: 'E-postadress',
    optional: '(valfritt)',
    choose: 'Välj…',
    thanks: { title: 'Tack', text: 'Din anmälan har tagits emot.' },
    confirm: { title: 'Nästan klart', text: 'Öppna din inkorg och bekräfta prenumerationen med länken i vårt mejl.' },
    closed: { title: 'Formuläret är stängt', text: 'Det tar inte längre emot anmälningar.' },
    required: 'Fyll i det här fältet.',
    invalid: 'Kontrollera den här uppgiften.',
    address: 'Ange en e-postadress.',
    captcha: 'Bekräfta att du inte är en robot.',
    failed: 'Anmälan kunde inte skickas. Försök igen om en stund.',
    many: 'För många försök. Försök igen om en minut.',
  },
  da: {
    title: 'Tilmeld dig {project}',
    button: 'Tilmeld',
    email: 'E-mailadresse',
    optional: '(valgfrit)',
    choose: 'Vælg…',
    thanks: { title: 'Tak', text: 'Din tilmelding er modtaget.' },
    confirm: { title: 'Næsten færdig', text: 'Åbn din indbakke, og bekræft abonnementet med linket i vores e-mail.' },
    closed: { title: 'Formularen er lukket', text: 'Den modtager ikke flere tilmeldinger.' },
    required: 'Udfyld dette felt.',
    invalid: 'Kontrollér denne oplysning.',
    address: 'Angiv en e-mailadresse.',
    captcha: 'Bekræft, at du ikke er en robot.',
    failed: 'Tilmeldingen kunne ikke sendes. Prøv igen om lidt.',
    many: 'For mange forsøg. Prøv igen om et minut.',
  },
  ja: {
    title: '{project} を購読する',
    button: '購読する',
    email: 'メールアドレス',
    optional: '（任意）',
    choose: '選択してください',
    thanks: { title: 'ありがとうございます', text: 'お申し込みを受け付けました。' },
    confirm: { title: 'あと少しで完了です', text: '受信トレイを開き、メール内のリンクから購読を確認してください。' },
    closed: { title: 'このフォームは終了しました', text: '現在、お申し込みを受け付けていません。' },
    required: 'この項目を入力してください。',
    invalid: 'この項目を確認してください。',
    address: 'メールアドレスを入力してください。',
    captcha: 'ロボットではないことを確認してください。',
    failed: '送信できませんでした。しばらくしてからもう一度お試しください。',
    many: '試行回数が多すぎます。1分後にもう一度お試しください。',
  },
  zh: {
    title: '订阅 {project}',
    button: '立即订阅',
    email: '电子邮箱',
    optional: '（选填）',
    choose: '请选择…',
    thanks: { title: '感谢您的订阅', text: '我们已收到您的申请。' },
    confirm: { title: '即将完成', text: '请打开收件箱，点击邮件中的链接确认订阅。' },
    closed: { title: '此表单已关闭', text: '不再接受新的订阅。' },
    required: '请填写此项。',
    invalid: '请检查此项内容。',
    address: '请输入电子邮箱地址。',
    captcha: '请确认您不是机器人。',
    failed: '提交失败。请稍后再试。',
    many: '尝试次数过多。请一分钟后再试。',
  },
}
