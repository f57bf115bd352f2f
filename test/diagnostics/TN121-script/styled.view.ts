import "./page.css";
import "./page.scss";
