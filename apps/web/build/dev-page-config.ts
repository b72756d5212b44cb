import type { Plugin } from 'vite'

const block = /<script type="application\/json" id="page-config">[^<]*<\/script>/

/**
 * In development Vite serves the document, and the page configuration comes from the application server running next to it, which would put it
 * into its own documents.
 *
 * @param server Origin of the application server.
 */
export function devPageConfig(server: string): Plugin {
  return {
    name: 'dev-page-config',
    apply: 'serve',
    async transformIndexHtml(html) {
      const answer = await fetch(`${server}/sign-in`)
      const found = block.exec(await answer.text())?.[0]
      if (!found)
        throw new Error(
          `${server} gave no page configuration; is the application server running, and the web application built once?`,
        )
      return html.replace('</head>', () => `${found}</head>`)
    },
  }
}
