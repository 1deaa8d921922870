/** The first email in several languages, with the project's own key if it is known in this window. */

export interface ExampleValues {
  baseUrl: string
  /** Known only in the window that created it. */
  secret: string | undefined
  from: string
  to: string
}

export interface Example {
  name: string
  text: string
}

const SUBJECT = 'Hello from Posthorn'
const BODY = '<p>It works.</p>'

export function exampleRequests({ baseUrl, secret, from, to }: ExampleValues): Example[] {
  const key = secret ?? 'sk_…'
  const json = JSON.stringify({ to, from, subject: SUBJECT, body: BODY }, null, 2)
  return [
    {
      name: 'curl',
      text: `curl -X POST ${baseUrl}/v1/send \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${json.replaceAll('\n', '\n  ')}'`,
    },
    {
      name: 'Node.js',
      text: `import { Posthorn } from '@posthorn/sdk'

const posthorn = new Posthorn('${key}', { baseUrl: '${baseUrl}' })

const { data, error } = await posthorn.emails.send({
  to: '${to}',
  from: '${from}',
  subject: '${SUBJECT}',
  body: '${BODY}',
})`,
    },
    {
      name: 'Python',
      text: `import json, urllib.request

request = urllib.request.Request(
    "${baseUrl}/v1/send",
    headers={"Authorization": "Bearer ${key}", "Content-Type": "application/json"},
    data=json.dumps({
        "to": "${to}",
        "from": "${from}",
        "subject": "${SUBJECT}",
        "body": "${BODY}",
    }).encode(),
)
print(urllib.request.urlopen(request).read().decode())`,
    },
    {
      name: 'PHP',
      text: `<?php
$request = curl_init('${baseUrl}/v1/send');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['Authorization: Bearer ${key}', 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode([
        'to' => '${to}',
        'from' => '${from}',
        'subject' => '${SUBJECT}',
        'body' => '${BODY}',
    ]),
]);
echo curl_exec($request);`,
    },
    {
      name: 'Go',
      text: `package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	body := strings.NewReader(\`${JSON.stringify({ to, from, subject: SUBJECT, body: BODY })}\`)
	request, _ := http.NewRequest("POST", "${baseUrl}/v1/send", body)
	request.Header.Set("Authorization", "Bearer ${key}")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	text, _ := io.ReadAll(response.Body)
	fmt.Println(string(text))
}`,
    },
    {
      name: 'Ruby',
      text: `require "json"
require "net/http"

response = Net::HTTP.post(
  URI("${baseUrl}/v1/send"),
  { to: "${to}", from: "${from}", subject: "${SUBJECT}", body: "${BODY}" }.to_json,
  "Authorization" => "Bearer ${key}",
  "Content-Type" => "application/json"
)
puts response.body`,
    },
  ]
}

interface TrackValues {
  baseUrl: string
  publicKey: string
  /** Adds a property: of the event, or stored as a field of the contact too. */
  property?: 'event' | 'contact'
}

const PROPERTIES = {
  event: `, "data": { "plan": { "value": "pro", "persistent": false } }`,
  contact: `, "data": { "plan": "pro" }`,
}

/** An event from a web page, with the public key. */
export const trackExample = ({ baseUrl, publicKey, property }: TrackValues): string =>
  `curl -X POST ${baseUrl}/v1/track \\
  -H 'Authorization: Bearer ${publicKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@example.org", "event": "signed-up"${property ? PROPERTIES[property] : ''} }'`

export interface SmtpValues {
  host: string
  port: number
  encryption: 'starttls' | 'implicit'
  secret: string | undefined
}

export function smtpExamples({ host, port, encryption, secret }: SmtpValues): Example[] {
  const implicit = encryption === 'implicit'
  const key = secret ?? 'sk_…'
  return [
    {
      name: 'Nodemailer',
      text: `import nodemailer from 'nodemailer'

const mail = nodemailer.createTransport({
  host: '${host}',
  port: ${port},
  secure: ${implicit},
  auth: { user: 'posthorn', pass: '${key}' },
})`,
    },
    {
      name: 'Python',
      text: `import smtplib

with smtplib.SMTP${implicit ? '_SSL' : ''}('${host}', ${port}) as mail:
${implicit ? '' : '    mail.starttls()\n'}    mail.login('posthorn', '${key}')
    mail.send_message(message)`,
    },
    {
      name: 'Django',
      text: `EMAIL_HOST = '${host}'
EMAIL_PORT = ${port}
${implicit ? 'EMAIL_USE_SSL' : 'EMAIL_USE_TLS'} = True
EMAIL_HOST_USER = 'posthorn'
EMAIL_HOST_PASSWORD = '${key}'`,
    },
  ]
}
