import { describe, expect, it } from 'vitest'
import { certificateAddress, hasSignatureForm, SnsMessage, snsAddress } from './sns-message.ts'

describe('a URL of SNS', () => {
  it.each([
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-0123456789abcdef.pem',
  ])('can be %s', (url) => expect(certificateAddress(url, [])?.href).toBe(url))

  it.each([
    'http://sns.us-east-1.amazonaws.com/SimpleNotificationService-01.pem',
    'https://sns.us-east-1.amazonaws.com:8443/SimpleNotificationService-01.pem',
    'https://sns.us-east-1.amazonaws.com.evil.example/SimpleNotificationService-01.pem',
    'https://evil.example/sns.us-east-1.amazonaws.com/SimpleNotificationService-01.pem',
    'https://sns.us-east-1.amazonaws.com@evil.example/SimpleNotificationService-01.pem',
    'https://user:password@sns.us-east-1.amazonaws.com/SimpleNotificationService-01.pem',
    'https://evilsns.us-east-1.amazonaws.com/SimpleNotificationService-01.pem',
    'https://sns.evil.amazonaws.com.co/SimpleNotificationService-01.pem',
    'https://s3.amazonaws.com/sns.us-east-1.amazonaws.com/x.pem',
    'https://sns.us-east-1.amazonaws.com/?Action=GetEndpointAttributes&x=.pem',
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-01.pem?x=1',
    'https://sns.us-east-1.amazonaws.com/other.pem',
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-01.pem/../x.pem',
    'file:///etc/passwd.pem',
    'https://127.0.0.1/x.pem',
    'http://127.0.0.1/x.pem',
    'not an address',
    '',
  ])("can't be %s", (url) => expect(certificateAddress(url, [])).toBeUndefined())

  it('can be on a host that the operator trusts, without https on loopback only', () => {
    const trusted = ['127.0.0.1:4566', 'localstack.internal']
    expect(certificateAddress('http://127.0.0.1:4566/a.pem', trusted)).toBeDefined()
    expect(certificateAddress('https://localstack.internal/a/b.pem', trusted)).toBeDefined()
    expect(certificateAddress('http://localstack.internal/a/b.pem', trusted)).toBeUndefined()
    expect(certificateAddress('http://127.0.0.1:4567/a.pem', trusted)).toBeUndefined()
    expect(certificateAddress('http://127.0.0.1:4566/a.txt', trusted)).toBeUndefined()
    expect(snsAddress('http://127.0.0.1:4566/?Action=ConfirmSubscription', trusted)).toBeDefined()
  })
})

describe('an SNS message', () => {
  const good = {
    Type: 'Notification',
    MessageId: 'm',
    TopicArn: 'arn:aws:sns:eu-west-1:123456789012:t',
    Timestamp: '2026-01-01T00:00:00.000Z',
    Message: 'many\nlines',
    SignatureVersion: '1',
    Signature: 's',
    SigningCertURL: 'u',
  }

  it('must have all its fields as strings', () => {
    expect(SnsMessage.safeParse(good).success).toBe(true)
    for (const field of ['Type', 'MessageId', 'TopicArn', 'Timestamp', 'Message']) {
      expect(SnsMessage.safeParse({ ...good, [field]: undefined }).success).toBe(false)
      expect(SnsMessage.safeParse({ ...good, [field]: 7 }).success).toBe(false)
    }
    expect(SnsMessage.safeParse({ ...good, Type: 'SubscriptionConfirmation' }).success).toBe(false)
  })

  it('is never valid without a signature', () => {
    const unsigned = { ...good, SignatureVersion: undefined, Signature: 7, SigningCertURL: undefined }
    expect(hasSignatureForm(SnsMessage.parse(unsigned))).toBe(false)
  })

  it('is refused with line breaks in fields that are signed', () => {
    for (const field of ['MessageId', 'TopicArn', 'Timestamp']) {
      expect(SnsMessage.safeParse({ ...good, [field]: 'a\nType\nNotification' }).success).toBe(false)
    }
  })
})
