/** The pages for recipients in Chinese. */
import type { PageTexts } from './types.ts'

export const zh: PageTexts = {
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
  topic: {
    unsubscribe: { title: '退订“{topic}”？', text: '{email} 将不再收到 {project} 的“{topic}”。' },
    unsubscribed: { title: '已退订“{topic}”', text: '{email} 将不再收到 {project} 的“{topic}”。' },
    subscribe: { title: '订阅“{topic}”？', text: '{email} 将收到 {project} 的“{topic}”。您可以随时退订。' },
    subscribed: { title: '已订阅“{topic}”', text: '{email} 会收到 {project} 的“{topic}”。您可以随时退订。' },
    everything: '退订全部邮件',
    topics: '主题',
    pause: {
      title: '暂停接收',
      text: '订阅会保留，但暂停期间您不会收到任何资讯或优惠邮件。',
      button: '暂停 {days} 天',
      paused: '已暂停至 {date}',
      resume: '立即恢复',
    },
  },
  settings: {
    title: '语言和时区',
    language: '语言',
    timezone: '时区',
    unset: '未指定',
    download: {
      title: '您的数据',
      text: '以文件形式下载 {project} 保存的关于 {email} 的信息。',
      button: '下载数据',
    },
  },
}
