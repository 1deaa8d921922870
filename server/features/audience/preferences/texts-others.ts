/** The preference pages in Polish, Japanese and Chinese. */
import type { PreferenceTexts } from './text-types.ts'

export const pl: PreferenceTexts = {
  unsubscribe: {
    title: 'Czy chcesz zrezygnować z wiadomości od {project}?',
    text: '{email} nie będzie już otrzymywać newsletterów i ofert od {project}.',
    button: 'Zrezygnuj z subskrypcji',
  },
  unsubscribed: {
    title: 'Subskrypcja anulowana',
    text: '{email} nie będzie już otrzymywać newsletterów i ofert od {project}.',
    back: 'Subskrybuj ponownie',
  },
  subscribe: {
    title: 'Czy chcesz subskrybować wiadomości od {project}?',
    text: '{email} będzie otrzymywać newslettery i oferty od {project}. Możesz zrezygnować w każdej chwili.',
    button: 'Subskrybuj',
  },
  subscribed: {
    title: 'Subskrypcja aktywna',
    text: '{email} otrzymuje newslettery i oferty od {project}. Możesz zrezygnować w każdej chwili.',
  },
  manage: {
    title: 'Ustawienia wiadomości e-mail',
    question: 'Jakie wiadomości od {project} chcesz otrzymywać na adres {email}?',
    never: 'Brak subskrypcji',
    save: 'Zapisz',
    saved: 'Twoje ustawienia zostały zapisane.',
  },
  all: { name: 'Wszystkie wiadomości', description: 'W tym newslettery i oferty' },
  necessary: { name: 'Tylko niezbędne wiadomości', description: 'Na przykład rachunki i resetowanie hasła' },
  gone: {
    title: 'Ten adres nie jest już zapisany',
    text: 'Dane powiązane z tym linkiem zostały usunięte, więc nie ma ustawień do zmiany.',
  },
  unknown: {
    title: 'Ten link nie działa',
    text: 'Być może jest niepełny. Otwórz wiadomość jeszcze raz i kliknij zawarty w niej link. Jeśli nadal nie działa, odpowiedz na wiadomość.',
  },
  emailGone: {
    title: 'Ta wiadomość nie jest już dostępna',
    text: 'Wiadomości można wyświetlać w przeglądarce przez ograniczony czas.',
  },
  emailErased: { title: 'Ta wiadomość została usunięta', text: 'Jej treść usunięto razem z danymi odbiorcy.' },
}

export const ja: PreferenceTexts = {
  unsubscribe: {
    title: '{project} からのメール配信を停止しますか？',
    text: '{email} に {project} からのニュースレターやお知らせが届かなくなります。',
    button: '配信を停止する',
  },
  unsubscribed: {
    title: '配信を停止しました',
    text: '今後、{email} に {project} からのニュースレターやお知らせは届きません。',
    back: '再度登録する',
  },
  subscribe: {
    title: '{project} のメール配信に登録しますか？',
    text: '{email} に {project} からのニュースレターやお知らせが届きます。配信はいつでも停止できます。',
    button: '登録する',
  },
  subscribed: {
    title: '配信に登録されています',
    text: '{email} に {project} からのニュースレターやお知らせが届きます。配信はいつでも停止できます。',
  },
  manage: {
    title: 'メール配信設定',
    question: '{email} で受け取る {project} からのメールをお選びください。',
    never: '配信に登録されていません',
    save: '保存する',
    saved: '設定を保存しました。',
  },
  all: { name: 'すべてのメール', description: 'ニュースレターやお知らせを含む' },
  necessary: { name: '重要なメールのみ', description: '領収書やパスワードの再設定など' },
  gone: {
    title: 'このメールアドレスは登録されていません',
    text: 'このリンクに関連するデータは削除されたため、変更できる設定はありません。',
  },
  unknown: {
    title: 'このリンクは無効です',
    text: 'リンクが不完全な可能性があります。メールをもう一度開き、メール内のリンクをクリックしてください。それでも開けない場合は、メールに返信してください。',
  },
  emailGone: {
    title: 'このメールは表示できなくなりました',
    text: 'メールをブラウザで表示できる期間には限りがあります。',
  },
  emailErased: { title: 'このメールは削除されました', text: '受信者のデータとともに内容が削除されました。' },
}

export const zh: PreferenceTexts = {
  unsubscribe: {
    title: '确定要退订 {project} 的邮件吗？',
    text: '{email} 将不再收到 {project} 的资讯和优惠信息。',
    button: '退订',
  },
  unsubscribed: {
    title: '已退订',
    text: '{email} 将不再收到 {project} 的资讯和优惠信息。',
    back: '重新订阅',
  },
  subscribe: {
    title: '要订阅 {project} 的邮件吗？',
    text: '{email} 将收到 {project} 的资讯和优惠信息，您可以随时退订。',
    button: '订阅',
  },
  subscribed: {
    title: '已订阅',
    text: '{email} 会收到 {project} 的资讯和优惠信息，您可以随时退订。',
  },
  manage: {
    title: '邮件偏好设置',
    question: '您希望 {email} 接收 {project} 的哪些邮件？',
    never: '尚未订阅',
    save: '保存',
    saved: '您的偏好设置已保存。',
  },
  all: { name: '所有邮件', description: '包括资讯和优惠信息' },
  necessary: { name: '仅必要邮件', description: '例如收据和密码重置' },
  gone: {
    title: '此邮箱地址已被移除',
    text: '此链接对应的数据已被删除，因此没有可更改的偏好设置。',
  },
  unknown: {
    title: '此链接无效',
    text: '链接可能不完整。请重新打开邮件并点击其中的链接。如果仍然无效，请回复该邮件。',
  },
  emailGone: { title: '此邮件已无法查看', text: '邮件只能在有限的时间内通过浏览器查看。' },
  emailErased: { title: '此邮件已被删除', text: '邮件内容已随收件人的数据一并删除。' },
}
