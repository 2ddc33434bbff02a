// The style of the pages. Each application has a colour of its own.
export const STYLE = `
:root { --page: #eef1f6; --card: #fff; --text: #1a202c; --quiet: #4d5768; --edge: #dde2ea; --notice: #fff4d6 }
.wiki { --accent: #0f6b5c; --link: #0f6b5c }
.calendar { --accent: #9a3412; --link: #9a3412 }
.board { --accent: #3b4fa8; --link: #3b4fa8 }
@media (prefers-color-scheme: dark) {
  :root { --page: #0f1319; --card: #191f29; --text: #e9edf3; --quiet: #a8b2c1; --edge: #2b3442; --notice: #3a3013 }
  .wiki { --link: #6fd3c1 }
  .calendar { --link: #f5a97f }
  .board { --link: #a3b3f7 }
}
* { box-sizing: border-box }
body { margin: 0; padding: 2rem 1rem; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif }
header, main { max-width: 42rem; margin: 0 auto }
header { display: flex; align-items: center; gap: .75rem; font-size: 1.125rem; font-weight: 600 }
header span { width: 2rem; line-height: 2rem; border-radius: .5rem; text-align: center; color: #fff; background: var(--accent) }
main { margin-top: 1.25rem; padding: clamp(1.25rem, 5vw, 2.25rem); background: var(--card); border: 1px solid var(--edge);
  border-top: .25rem solid var(--accent); border-radius: 1rem }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25 }
h2 { margin: 0 0 .75rem; font-size: 1.125rem }
p, summary { margin: .5rem 0 0; color: var(--quiet) }
summary { cursor: pointer }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .375rem 1.5rem; margin: 1rem 0 }
details dl { font-size: .875rem; grid-template-columns: 1fr; gap: 0 }
details dd { margin: 0 0 .5rem }
dt { color: var(--quiet) }
dd { margin: 0 }
section { margin-top: 1.5rem; padding-top: 1.5rem; border-top: 1px solid var(--edge) }
ul { margin: 0; padding: 0; list-style: none }
li { display: flex; gap: 1rem; padding: .375rem 0 }
time { min-width: 3.5rem; font-variant-numeric: tabular-nums; font-weight: 600; color: var(--link) }
nav { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.75rem }
.notice { margin: 1rem 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--notice); color: var(--text) }
.button { display: inline-block; padding: .625rem 1rem; border: 1px solid var(--link); border-radius: .5rem; font: inherit;
  font-weight: 600; color: var(--link); background: none; text-decoration: none; cursor: pointer }
.main.button { border-color: var(--accent); background: var(--accent); color: #fff }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
`;
