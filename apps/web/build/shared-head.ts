import type { Plugin } from 'vite'

const mark = '<!-- shared head -->'

const lines = `<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#191c1f" media="(prefers-color-scheme: dark)" />
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    <!-- A file, since the Content-Security-Policy forbids inline scripts: theme, language and direction before the first paint. -->
    <script src="/before-paint.js"></script>`

/** What the documents of the office and of the guide's phone have in their heads alike, put in place of a comment. */
export function sharedHead(): Plugin {
  return {
    name: 'shared-head',
    transformIndexHtml: { order: 'pre', handler: (html) => html.replace(mark, lines) },
  }
}
