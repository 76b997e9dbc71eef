/**
 * A reader in Firefox: puppeteer over WebDriver BiDi, since Playwright drives only its own build of Firefox. It finds
 * things by role and name and waits for them, never for a time.
 */
import assert from 'node:assert/strict';
import puppeteer from 'puppeteer-core';

/** @typedef {import('puppeteer-core').Page} Page */

const PATIENCE_MS = 60_000;

export function firefox() {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? 'firefox-esr',
    headless: true,
    // Reads the clipboard without asking, and never asks to become the default browser.
    extraPrefsFirefox: { 'dom.events.testing.asyncClipboard': true, 'browser.shell.checkDefaultBrowser': false },
  });
}

/**
 * One reader with separate storage and service workers, who must not complain.
 * @param {import('puppeteer-core').Browser} browser
 * @param {string} address
 * @param {(reader: Reader) => Promise<void>} journey
 * @param {RegExp} [expected] what the console may say anyway
 */
export async function visit(browser, address, journey, expected) {
  const context = await browser.createBrowserContext();
  const reader = new Reader(await context.newPage(), address);
  try {
    await reader.page.setViewport({ width: 1440, height: 900 });
    await journey(reader);
    const unexpected = reader.complaints.filter((one) => !expected?.test(one));
    assert.deepEqual(unexpected, [], 'the console is silent');
  } catch (error) {
    const pageText = await reader.page.evaluate(() => document.body.innerText).catch(() => 'nothing');
    console.error(`The reader saw:\n${pageText}\nThe console: ${JSON.stringify(reader.complaints)}`);
    throw error;
  } finally {
    await context.close();
  }
}

export class Reader {
  /** @param {Page} page @param {string} address */
  constructor(page, address) {
    this.page = page;
    this.address = address;
    page.setDefaultTimeout(PATIENCE_MS);
    /** @type {string[]} */
    this.complaints = [];
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(`${error}`));
  }

  /** Opens a link, with the engine. @param {string} link */
  async open(link) {
    await this.page.goto(new URL(link, this.address).href);
    await this.ready();
  }

  async ready() {
    await this.page.waitForSelector('html[data-state="ready"]');
  }

  /** The element with this role and name. @param {string} role @param {string} name */
  find(role, name) {
    return this.page.locator(`::-p-aria([name="${name}"][role="${role}"])`);
  }

  /** @param {string} role @param {string} name */
  async click(role, name) {
    await this.find(role, name).click();
  }

  /** Clicks an element by part of its text, for long names. @param {string} place a selector @param {string} text */
  async clickText(place, text) {
    await this.page.locator(`${place} ::-p-text(${text})`).click();
  }

  /** @param {string} role @param {string} name @param {string} text */
  async fill(role, name, text) {
    await this.find(role, name).fill(text);
  }

  /** @param {import('puppeteer-core').KeyInput[]} keys */
  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Runs a command by its name. @param {string} name */
  async command(name) {
    await this.page.keyboard.down('Control');
    await this.page.keyboard.press('k');
    await this.page.keyboard.up('Control');
    await this.fill('combobox', 'Command', name);
    await this.press('Enter');
    await this.page.waitForFunction(() => !document.querySelector('dialog:modal input[role="combobox"]'));
  }

  /**
   * Waits until a place shows a text, and returns everything that the place shows.
   * @param {string} place a selector
   * @param {string | RegExp} text
   * @returns {Promise<string>}
   */
  async expectText(place, text) {
    const [source, flags] = typeof text === 'string' ? [text, null] : [text.source, text.flags];
    const isShown = (/** @type {string} */ where, /** @type {string} */ what, /** @type {string | null} */ how) => {
      const shown = [...document.querySelectorAll(where)]
        .map((one) =>
          /** @type {HTMLElement} */ (one).innerText
            .replace(/\s+/g, ' ')
            .trim(),
        )
        .join(' ');
      return (how === null ? shown.includes(what) : new RegExp(what, how).test(shown)) && { shown };
    };
    try {
      const found = await this.page.waitForFunction(isShown, {}, place, source, flags);
      return await /** @type {any} */ (found).evaluate((/** @type {{shown: string}} */ one) => one.shown);
    } catch (error) {
      throw new Error(`${text} is not to be read in ${place}: ${error}`);
    }
  }

  /** The exact text of a place. @param {string} place */
  async text(place) {
    return this.expectText(place, /./);
  }

  /** Waits until the service worker answers for the page. */
  async waitForWorker() {
    await this.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  }
}
