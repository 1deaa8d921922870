/** Emails about orders, payments and subscriptions. */
import {
  button,
  columns,
  divider,
  documentOf,
  heading,
  list,
  logo,
  marketingFooter,
  text,
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
        date: '2026-03-14',
        items: ITEMS,
        total: '€46.00',
        url: 'https://example.com/orders/147',
      },
    },
    document: documentOf(
      logo(),
      heading('Thank you for your order'),
      text([
        'Hello {{firstName|there}},',
        'We received your order **{{ order.number }}**, placed on {{ order.date | date: "%B %-d, %Y" }}.',
      ]),
      { type: 'items', list: 'order.items', title: 'name', text: 'details', price: 'price' },
      divider(),
      text('**Total: {{ order.total }}**', { align: 'right' }),
      button('View order', '{{ order.url }}'),
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
    preheader: '{{ invoice.total }}, due on {{ invoice.dueDate | date: "%B %-d" }}.',
    data: {
      firstName: 'Ada',
      invoice: {
        number: 'INV-0031',
        dueDate: '2026-04-13',
        items: [
          { name: 'Team plan', details: 'March 2026, 5 seats', price: '€95.00' },
          { name: 'Extra storage', details: '100 GB', price: '€5.00' },
        ],
        total: '€100.00',
        url: 'https://example.com/invoices/31',
      },
    },
    document: documentOf(
      logo(),
      heading('Invoice {{invoice.number}}'),
      text('Hello {{firstName|there}}, here is your invoice.'),
      columns(
        [text(['**Amount**', '{{invoice.total}}'])],
        [text(['**Due date**', '{{ invoice.dueDate | date: "%B %-d, %Y" }}'])],
      ),
      divider(),
      { type: 'items', list: 'invoice.items', title: 'name', text: 'details', price: 'price' },
      button('View and pay', '{{ invoice.url }}'),
      text('Have a question about this invoice? Reply to this email.', { size: 14 }),
      transactionalFooter('You’re receiving this email because you’re the billing contact for an account.'),
    ),
  },
  {
    slug: 'shipping',
    name: 'Shipping confirmation',
    description: 'Tells a customer that an order was shipped, with its tracking number.',
    category: 'Orders',
    type: 'TRANSACTIONAL',
    subject: 'Your order {{ order.number }} has been shipped',
    preheader: 'Track your parcel.',
    data: {
      firstName: 'Ada',
      order: { number: '2026-0147', items: ITEMS },
      shipment: {
        carrier: 'DHL',
        trackingNumber: '00340434161094',
        trackingUrl: 'https://example.com/track/0034',
        arrives: '2026-03-18',
      },
    },
    document: documentOf(
      logo(),
      heading('Your order has been shipped'),
      text([
        'Hello {{firstName|there}},',
        'Your order **{{ order.number }}** was shipped with {{shipment.carrier|the carrier}}.',
      ]),
      {
        type: 'condition',
        if: { variable: 'shipment.arrives', operator: 'exists' },
        blocks: [text('Estimated arrival: **{{ shipment.arrives | date: "%A, %B %-d" }}**')],
      },
      button('Track parcel', '{{ shipment.trackingUrl }}'),
      text('Tracking number: {{shipment.trackingNumber}}', { size: 14, align: 'center' }),
      divider(),
      { type: 'items', list: 'order.items', title: 'name', text: 'details' },
      transactionalFooter(ORDERED),
    ),
  },
  {
    slug: 'trial-ending',
    name: 'Trial ending',
    description: 'Reminds a customer of the end of a trial and offers a plan.',
    category: 'Lifecycle',
    type: 'MARKETING',
    subject: 'Your trial ends in {{ daysLeft | default: "a few" }} days',
    preheader: 'Keep your projects by choosing a plan.',
    data: { firstName: 'Ada', daysLeft: 3, trialEndsAt: '2026-03-17', plansUrl: 'https://example.com/plans' },
    document: documentOf(
      logo(),
      heading('Your trial ends soon'),
      text([
        'Hello {{firstName|there}},',
        'Your trial ends on **{{ trialEndsAt | date: "%B %-d" }}**. Choose a plan to keep everything as it is:',
      ]),
      list([
        'Your projects and files stay available.',
        'Your team keeps its access.',
        'You can change or cancel the plan at any time.',
      ]),
      button('Choose a plan', '{{ plansUrl }}'),
      text('Not ready yet? Reply and tell us what is missing.'),
      marketingFooter(),
    ),
  },
]
