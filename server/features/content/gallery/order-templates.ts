/** Emails about orders, payments and subscriptions. */
import {
  action,
  cards,
  details,
  documentOf,
  heading,
  last,
  list,
  logo,
  marketingFooter,
  note,
  text,
  title,
  transactionalFooter,
} from './blocks.ts'
import type { GalleryTemplate } from './schemas.ts'

const ORDERED = 'You’re receiving this email because you placed an order with us.'

const ITEMS = [
  { name: 'Notebook, dotted', details: 'A5, 120 pages', price: '€12.00' },
  { name: 'Fountain pen', details: 'Medium nib, black', price: '€34.00' },
]

export const orderTemplates: GalleryTemplate[] = [
  {
    slug: 'receipt',
    name: 'Receipt',
    description: 'Confirms an order with its items and total.',
    category: 'Orders',
    type: 'TRANSACTIONAL',
    subject: 'Your order {{ order.number }}',
    preheader: 'Thank you. Here is your receipt.',
    data: {
      firstName: 'Ada',
      order: {
        number: '2026-0147',
        date: 'March 14, 2026',
        payment: 'Visa ending in 4242',
        items: ITEMS,
        subtotal: '€46.00',
        shipping: '€4.90',
        total: '€50.90',
        url: 'https://example.com/orders/147',
      },
    },
    document: documentOf(
      logo(),
      title('Thank you for your order'),
      text('Hello {{firstName|there}}, we’ve received your order and will let you know when it ships.'),
      cards('gray', [
        details({ 'Order number': '{{ order.number }}', Date: '{{ order.date }}', Payment: '{{ order.payment }}' }),
      ]),
      { type: 'items', list: 'order.items', title: 'name', text: 'details', price: 'price', lines: true },
      details({
        Subtotal: '{{ order.subtotal }}',
        Shipping: '{{ order.shipping }}',
        '=Total': '{{ order.total }}',
      }),
      last(action('View order', '{{ order.url }}')),
      transactionalFooter(ORDERED),
    ),
  },
  {
    slug: 'invoice',
    name: 'Invoice',
    description: 'Sends an invoice with its amount and due date.',
    category: 'Orders',
    type: 'TRANSACTIONAL',
    subject: 'Invoice {{ invoice.number }}',
    preheader: '{{ invoice.total }}, due on {{ invoice.dueDate }}.',
    data: {
      invoice: {
        number: 'INV-0031',
        date: 'March 14, 2026',
        dueDate: 'April 13, 2026',
        period: 'March 2026',
        billedTo: 'Lovelace Ltd.',
        items: [
          { name: 'Team plan', details: 'March 2026, 5 seats', price: '€95.00' },
          { name: 'Extra storage', details: '100 GB', price: '€5.00' },
        ],
        subtotal: '€100.00',
        tax: '€19.00',
        total: '€119.00',
        url: 'https://example.com/invoices/31',
      },
    },
    document: documentOf(
      logo(),
      text('Invoice {{invoice.number}}', { color: '#5b6472', paddingBottom: 0 }),
      heading('{{invoice.total}}', { size: 40, paddingTop: 0, paddingBottom: 0 }),
      text('Due on **{{invoice.dueDate}}**', { paddingTop: 4 }),
      action('View and pay', '{{ invoice.url }}'),
      cards('gray', [
        details({
          'Billed to': '{{ invoice.billedTo }}',
          'Invoice date': '{{ invoice.date }}',
          'Billing period': '{{ invoice.period }}',
        }),
      ]),
      { type: 'items', list: 'invoice.items', title: 'name', text: 'details', price: 'price', lines: true },
      details({ Subtotal: '{{ invoice.subtotal }}', VAT: '{{ invoice.tax }}', '=Total': '{{ invoice.total }}' }),
      last(note('Have a question about this invoice? Reply to this email.')),
      transactionalFooter('You’re receiving this email because you’re the billing contact for an account.'),
    ),
  },
  {
    slug: 'shipping',
    name: 'Shipping confirmation',
    description: 'Tells a customer that an order was shipped, with its tracking number.',
    category: 'Orders',
    type: 'TRANSACTIONAL',
    subject: 'Your order {{ order.number }} has shipped',
    preheader: 'Track your package.',
    data: {
      firstName: 'Ada',
      order: { number: '2026-0147', items: ITEMS },
      shipment: {
        carrier: 'DHL',
        trackingNumber: '00340434161094',
        trackingUrl: 'https://example.com/track/0034',
        arrives: 'Wednesday, March 18',
      },
    },
    document: documentOf(
      logo(),
      title('Your order is on its way'),
      text('Hello {{firstName|there}}, your order **{{order.number}}** is now with {{shipment.carrier|the carrier}}.'),
      {
        type: 'condition',
        if: { variable: 'shipment.arrives', operator: 'exists' },
        blocks: [
          cards('light', [
            text('Estimated delivery', { size: 14, paddingBottom: 0 }),
            heading('{{shipment.arrives}}', { level: 2, size: 26, paddingTop: 0 }),
          ]),
        ],
      },
      action('Track package', '{{ shipment.trackingUrl }}'),
      details({ Carrier: '{{ shipment.carrier }}', 'Tracking number': '{{ shipment.trackingNumber }}' }),
      heading('In this package', { level: 3, paddingTop: 20, paddingBottom: 0 }),
      last({ type: 'items', list: 'order.items', title: 'name', text: 'details', lines: true }),
      transactionalFooter(ORDERED),
    ),
  },
  {
    slug: 'trial-ending',
    name: 'Trial ending',
    description: 'Reminds a customer that their trial is ending, and offers a plan.',
    category: 'Lifecycle',
    type: 'MARKETING',
    subject: 'Your trial ends in {{ daysLeft | default: "a few" }} days',
    preheader: 'Keep your projects by choosing a plan.',
    data: {
      firstName: 'Ada',
      daysLeft: 3,
      trialEndsAt: 'March 17',
      plan: { name: 'Team plan', price: '€19 per seat a month' },
      plansUrl: 'https://example.com/plans',
    },
    document: documentOf(
      logo(),
      title('Your trial ends on {{trialEndsAt|Friday}}'),
      text('Hello {{firstName|there}}, choose a plan to keep everything as it is.', { size: 18 }),
      cards('light', [
        heading('{{plan.name|Team plan}}', { level: 3, paddingBottom: 0 }),
        heading('{{plan.price|€19 per seat a month}}', { level: 2, size: 28, paddingTop: 0 }),
        list([
          'Your projects and files stay available.',
          'Your team keeps access.',
          'You can change or cancel the plan at any time.',
        ]),
      ]),
      action('Choose a plan', '{{ plansUrl }}'),
      last(note('Not ready yet? Reply and tell us what’s missing.')),
      marketingFooter(),
    ),
  },
]
