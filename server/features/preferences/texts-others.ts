/** The preference pages in Polish, Japanese and Chinese. */
import type { PreferenceTexts } from './text-types.ts'

export const pl: PreferenceTexts = {
  unsubscribe: {
    title: 'Zrezygnować z wiadomości od {project}?',
    text: '{email} nie będzie już otrzymywać newsletterów i ofert od {project}.',
    button: 'Zrezygnuj',
  },
  unsubscribed: {
    title: 'Subskrypcja anulowana',
    text: '{email} nie otrzymuje już newsletterów i ofert od {project}.',
    back: 'Subskrybuj ponownie',
  },
  subscribe: {
    title: 'Subskrybować wiadomości od {project}?',
    text: '{email} będzie otrzymywać newslettery i oferty od {project}. Zrezygnować można w każdej chwili.',
    button: 'Subskrybuj',
  },
  subscribed: {
    title: 'Subskrypcja aktywna',
    text: '{email} otrzymuje newslettery i oferty od {project}. Zrezygnować można w każdej chwili.',
  },
  manage: {
    title: 'Ustawienia e-maili',
    question: 'Jakie wiadomości od {project} ma otrzymywać {email}?',
    never: 'Brak subskrypcji',
    save: 'Zapisz',
    saved: 'Wybór został zapisany.',
  },
  all: { name: 'Wszystkie wiadomości', description: 'Także newslettery i oferty' },
  necessary: { name: 'Tylko niezbędne wiadomości', description: 'Na przykład rachunki i nowe hasła' },
  gone: {
    title: 'Ten adres nie jest już zapisany',
    text: 'Dane powiązane z tym linkiem zostały usunięte. Nie ma tu już nic do zmiany.',
  },
  unknown: {
    title: 'Ten link nie działa',
    text: 'Być może jest niepełny. Otwórz wiadomość jeszcze raz i kliknij link w niej.',
  },
}

export const ja: PreferenceTexts = {
  unsubscribe: {
    title: '{project} の配信を停止しますか？',
    text: '{email} に {project} からのニュースレターやお知らせが届かなくなります。',
    button: '配信を停止する',
  },
  unsubscribed: {
    title: '配信を停止しました',
    text: '{email} に {project} からのニュースレターやお知らせは届きません。',
    back: 'もう一度登録する',
  },
  subscribe: {
    title: '{project} の配信に登録しますか？',
    text: '{email} に {project} からのニュースレターやお知らせが届きます。配信はいつでも停止できます。',
    button: '登録する',
  },
  subscribed: {
    title: '配信に登録されています',
    text: '{email} に {project} からのニュースレターやお知らせが届きます。配信はいつでも停止できます。',
  },
  manage: {
    title: 'メール配信設定',
    question: '{project} から {email} に届くメールを選んでください。',
    never: '配信に登録されていません',
    save: '保存する',
    saved: '設定を保存しました。',
  },
  all: { name: 'すべてのメール', description: 'ニュースレターやお知らせを含む' },
  necessary: { name: '必要なメールのみ', description: '領収書やパスワード再設定など' },
  gone: {
    title: 'このアドレスはもう保存されていません',
    text: 'このリンクに対応するデータは削除されました。ここで変更できるものはありません。',
  },
  unknown: {
    title: 'このリンクは使えません',
    text: 'リンクが途中で切れている可能性があります。メールをもう一度開き、そこからリンクをたどってください。',
  },
}

export const zh: PreferenceTexts = {
  unsubscribe: {
    title: '要退订 {project} 的邮件吗？',
    text: '{email} 将不再收到 {project} 的资讯和优惠邮件。',
    button: '退订',
  },
  unsubscribed: {
    title: '已退订',
    text: '{email} 不再收到 {project} 的资讯和优惠邮件。',
    back: '重新订阅',
  },
  subscribe: {
    title: '要订阅 {project} 的邮件吗？',
    text: '{email} 将收到 {project} 的资讯和优惠邮件，可随时退订。',
    button: '订阅',
  },
  subscribed: {
    title: '已订阅',
    text: '{email} 会收到 {project} 的资讯和优惠邮件，可随时退订。',
  },
  manage: {
    title: '邮件偏好设置',
    question: '{email} 想收到 {project} 的哪些邮件？',
    never: '尚未订阅',
    save: '保存',
    saved: '您的选择已保存。',
  },
  all: { name: '所有邮件', description: '包括资讯和优惠' },
  necessary: { name: '仅必要邮件', description: '例如收据和密码重置' },
  gone: {
    title: '此地址已不再保存',
    text: '此链接对应的数据已被删除，这里没有可以更改的内容。',
  },
  unknown: {
    title: '此链接无效',
    text: '链接可能不完整。请重新打开邮件，从邮件中点击链接。',
  },
}
