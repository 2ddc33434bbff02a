import { useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { onMounted, watch } from 'vue';
import './style.css';

export default {
  extends: DefaultTheme,
  setup(): void {
    const { frontmatter } = useData();
    // The front page of the theme has no main landmark.
    const markMain = () => {
      const content = document.getElementById('VPContent');
      if (frontmatter.value.layout === 'home') content?.setAttribute('role', 'main');
      else content?.removeAttribute('role');
    };
    onMounted(markMain);
    watch(frontmatter, markMain, { flush: 'post' });
  },
};
