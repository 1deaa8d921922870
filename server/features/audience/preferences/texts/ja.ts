/** The pages for recipients in Japanese. */
import type { PageTexts } from './types.ts'

export const ja: PageTexts = {
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
  topic: {
    unsubscribe: {
      title: '「{topic}」の配信を停止しますか？',
      text: '{email} 宛てに {project} の「{topic}」は届かなくなります。',
    },
    unsubscribed: {
      title: '「{topic}」の配信を停止しました',
      text: '{email} 宛てに {project} の「{topic}」は届かなくなります。',
    },
    subscribe: {
      title: '「{topic}」に登録しますか？',
      text: '{email} 宛てに {project} の「{topic}」が届きます。いつでも配信を停止できます。',
    },
    subscribed: {
      title: '「{topic}」に登録しています',
      text: '{email} 宛てに {project} の「{topic}」が届きます。いつでも配信を停止できます。',
    },
    everything: 'すべての配信を停止する',
    topics: 'トピック',
    pause: {
      title: '配信を休止する',
      text: '登録はそのままで、休止期間が終わるまでニュースレターやお知らせは届きません。',
      button: '{days} 日間休止する',
      paused: '{date} まで休止中',
      resume: '今すぐ再開する',
    },
  },
  settings: {
    title: '言語とタイムゾーン',
    language: '言語',
    timezone: 'タイムゾーン',
    unset: '指定なし',
    download: {
      title: 'お客様のデータ',
      text: '{project} が {email} について保存している情報をファイルでダウンロードできます。',
      button: 'データをダウンロード',
    },
  },
}
